/** A simulated process: one copy of the program, with a clock, timers and random numbers of its own. */
import asyncHooks, { AsyncResource } from 'node:async_hooks';
import nodeCrypto from 'node:crypto';
import { createRequire } from 'node:module';
import { SimulatedContext } from './context.mjs';

const nodeRequire = createRequire(import.meta.url);
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
  #scheduler;
  #random;
  #lastTurn = 0;

  constructor(scheduler, random, skewMs) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.skewMs = skewMs;
  }

  /** Loads the program: the exports of its entry. */
  load(program) {
    return program({
      ...this.#timers(),
      ...this.#clock(),
      ...this.#randomness(),
      process: { nextTick: (...args) => process.nextTick(...args) },
    });
  }

  #clock() {
    const now = () => Math.floor(epochMs + this.#scheduler.now + this.skewMs);
    return { Date: dateOf(now), performance: { now: () => this.#scheduler.now } };
  }

  #timers() {
    const start = (ms, callback, args, repeats) => {
      const timer = new Timer();
      const resource = new AsyncResource('SimulatedTimer');
      const action = () => {
        if (repeats) arm();
        resource.runInAsyncScope(callback, undefined, ...args);
      };
      const delay = ms >= 1 ? ms : 1;
      // Timers are never early, and sometimes late.
      const arm = () => void (timer.event = this.#scheduler.after(delay + this.#random.below(100) / 100, this, action));
      arm();
      return timer;
    };
    const clear = (timer) => {
      if (timer?.event !== undefined) this.#scheduler.cancel(timer.event);
    };
    return {
      setTimeout: (callback, ms, ...args) => start(ms, callback, args, false),
      setInterval: (callback, ms, ...args) => start(ms, callback, args, true),
      setImmediate: (callback, ...args) => this.#immediate(callback, args),
      clearTimeout: clear,
      clearInterval: clear,
      clearImmediate: clear,
    };
  }

  /** Immediates run in their order, each in a later turn. */
  #immediate(callback, args) {
    const { now } = this.#scheduler;
    this.#lastTurn = Math.max(this.#lastTurn, now) + turnMs * (1 + this.#random.below(10));
    const timer = new Timer();
    const resource = new AsyncResource('SimulatedTimer');
    const action = () => resource.runInAsyncScope(callback, undefined, ...args);
    timer.event = this.#scheduler.after(this.#lastTurn - now, this, action);
    return timer;
  }

  #randomness() {
    const random = this.#random;
    const fill = (bytes) => {
      for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
      return bytes;
    };
    const randomUUID = () => random.uuid();
    const seededMath = Object.create(Math, { random: { value: () => random.below(0x40000000) / 0x40000000 } });
    // Digests of the platform come from other threads, at any time.
    const digest = (_algorithm, data) => Promise.resolve(nodeCrypto.createHash('sha256').update(data).digest());
    const crypto = { getRandomValues: fill, randomUUID, subtle: { digest } };
    const seededCrypto = {
      ...nodeCrypto,
      randomUUID,
      randomBytes: (length) => fill(Buffer.alloc(length)),
      randomFillSync: fill,
    };
    const modules = { crypto: seededCrypto, async_hooks: { ...asyncHooks, AsyncLocalStorage: SimulatedContext } };
    const require = (name) => modules[name.replace(/^node:/, '')] ?? nodeRequire(name);
    return { Math: seededMath, crypto, require };
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

/** `Date` with another current time. Its instances are ordinary dates. */
function dateOf(now) {
  function SimulatedDate(...args) {
    if (new.target === undefined) return new Date(now()).toString();
    return args.length === 0 ? new Date(now()) : new Date(...args);
  }
  SimulatedDate.prototype = Date.prototype;
  return Object.assign(SimulatedDate, { now, parse: Date.parse, UTC: Date.UTC });
}
