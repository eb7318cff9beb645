/** The commands that wait for a service: each goes to one of its hosts, concurrently and in no order. */
import { network } from './scheduler.mjs';
const retryMs = 300;

export class Inbox {
  #parts;
  /** By the number of the arrival: `{ message, consumer }`, null while no host has it. */
  #waiting = new Map();
  #consumers = [];
  #arrivals = 0;

  constructor(parts) {
    this.#parts = parts;
  }

  get size() {
    return this.#waiting.size;
  }

  add(message) {
    this.#waiting.set(this.#arrivals++, { message, consumer: null });
    this.resume();
  }

  consume(host, deliver) {
    const consumer = { realm: host.realm, name: host.name, deliver, isOpen: true, isConnected: true };
    this.#consumers.push(consumer);
    this.resume();
    return {
      get isUp() {
        return consumer.isOpen && consumer.isConnected;
      },
      close: () => {
        consumer.isOpen = false;
        this.#release(consumer);
        return Promise.resolve();
      },
    };
  }

  disconnect(realm) {
    for (const consumer of this.#consumers.filter((one) => one.realm === realm)) {
      consumer.isConnected = false;
      this.#release(consumer);
    }
  }

  reconnect(realm) {
    for (const consumer of this.#consumers) if (consumer.realm === realm) consumer.isConnected = true;
    this.resume();
  }

  resume() {
    const { random, isUp } = this.#parts;
    const open = this.#consumers.filter(({ realm, isOpen, isConnected }) => isOpen && isConnected && !realm.isDown);
    if (open.length === 0 || !isUp()) return;
    for (const [number, waiting] of this.#waiting) {
      if (waiting.consumer === null) this.#deliver(number, waiting, random.pick(open));
    }
  }

  #deliver(number, waiting, consumer) {
    const { scheduler, faults } = this.#parts;
    waiting.consumer = consumer;
    const { requestMs, answerMs, isLostAfter } = faults.fateOf('broker', consumer.name);
    const settle = (outcome) =>
      scheduler.after(outcome === false ? retryMs : answerMs, network, () => {
        if (waiting.consumer !== consumer) return;
        if (outcome !== false && !isLostAfter) this.#settle(number, waiting, outcome);
        else waiting.consumer = null;
        this.resume();
      });
    scheduler.after(requestMs, consumer.realm, async () => settle(await consumer.deliver(waiting.message)));
  }

  #settle(number, { message }, outcome) {
    this.#waiting.delete(number);
    if (outcome !== true) this.#parts.deadLetter(`${message.type} ${message.id}: ${outcome.message}`);
  }

  #release(consumer) {
    for (const waiting of this.#waiting.values()) if (waiting.consumer === consumer) waiting.consumer = null;
    if (!consumer.isOpen) this.#consumers = this.#consumers.filter((one) => one !== consumer);
    this.resume();
  }
}
