/** A simulated process: its clock, timers, random numbers, and the variables of its modules. */
import { SimulatedResource } from './context.mjs';

/** 2026-03-01T12:00:00Z. */
export const epochMs = 1_772_366_400_000;
/** How long a turn of the event loop takes at least. */
const turnMs = 0.01;

export class Realm {
  /** Set when the process has crashed or has ended: none of its events run any more. */
  isDown = false;
  /** Until when the process does not run, as in a long garbage collection. */
  frozenUntil = 0;
  /** How far its clock is ahead. */
  skewMs;
  /** The variables of its modules while another process runs. */
  state;
  #scheduler;
  #program;
  #random;
  #lastTurn = 0;

  constructor({ scheduler, program }, random, skewMs) {
    this.#scheduler = scheduler;
    this.#program = program;
    this.#random = random;
    this.skewMs = skewMs;
    this.state = program.newState();
  }

  /** Runs this process from here on. */
  enter() {
    this.#program.enter(this);
  }

  /** The time of its clock. */
  now() {
    return Math.floor(epochMs + this.#scheduler.now + this.skewMs);
  }

  /** The time since its start, which no clock changes. */
  elapsed() {
    return this.#scheduler.now;
  }

  startTimer(callback, ms, args, repeats) {
    const timer = new Timer();
    const resource = new SimulatedResource();
    const delay = ms >= 1 ? ms : 1;
    // Timers are never early, and sometimes late.
    const arm = () =>
      void (timer.event = this.#scheduler.after(delay + this.#random.below(100) / 100, this, () => {
        if (repeats) arm();
        resource.runInAsyncScope(callback, undefined, ...args);
      }));
    arm();
    return timer;
  }

  /** Immediates run in their order, each in a later turn. */
  startImmediate(callback, args) {
    const { now } = this.#scheduler;
    this.#lastTurn = Math.max(this.#lastTurn, now) + turnMs * (1 + this.#random.below(10));
    const timer = new Timer();
    const resource = new SimulatedResource();
    const action = () => resource.runInAsyncScope(callback, undefined, ...args);
    timer.event = this.#scheduler.after(this.#lastTurn - now, this, action);
    return timer;
  }

  clearTimer(timer) {
    if (timer?.event !== undefined) this.#scheduler.cancel(timer.event);
  }

  /** A number from 0 to below 1. */
  random() {
    return this.#random.below(0x40000000) / 0x40000000;
  }

  randomUUID() {
    return this.#random.uuid();
  }

  fill(bytes) {
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.#random.below(256);
    return bytes;
  }
}

class Timer {
  event;
  ref() {
    return this;
  }
  unref() {
    return this;
  }
}
