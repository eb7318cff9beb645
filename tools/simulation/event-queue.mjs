/** The events that wait for one interest of a service: in order, one batch at a time, to one of its hosts. */
import { network } from './scheduler.mjs';
const retryMs = 300;

export class EventQueue {
  #parts;
  #service;
  #waiting = [];
  #consumers = [];
  /** The delivery that is not acknowledged yet; null: none. */
  #delivery = null;

  constructor(parts, service) {
    this.#parts = parts;
    this.#service = service;
  }

  get size() {
    return this.#waiting.length;
  }

  add(message) {
    if (message.provenOrigin === this.#service || !this.#wants(message)) return;
    this.#waiting.push(message);
    this.resume();
  }

  consume(host, topics, deliver) {
    this.#topics = new Map(topics.map(({ topic, types }) => [topic, new Set(types)]));
    const consumer = {
      realm: host.realm,
      name: host.name,
      deliver,
      isOpen: true,
      isConnected: true,
      running: Promise.resolve(),
    };
    this.#consumers.push(consumer);
    this.resume();
    return {
      get isUp() {
        return consumer.isOpen && consumer.isConnected;
      },
      close: async () => {
        consumer.isOpen = false;
        await consumer.running;
        this.#release(consumer);
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

  /** Delivers the next batch, unless one is under way. */
  resume() {
    const { scheduler, random, faults, isUp } = this.#parts;
    if (this.#delivery !== null || this.#waiting.length === 0 || !isUp()) return;
    const consumer = this.#consumers.find(({ realm, isOpen, isConnected }) => isOpen && isConnected && !realm.isDown);
    if (consumer === undefined) return;
    const delivery = { consumer, batch: this.#waiting.slice(0, 1 + random.below(20)) };
    this.#delivery = delivery;
    const { requestMs } = faults.fateOf('broker', consumer.name);
    scheduler.after(requestMs, consumer.realm, () => void (consumer.running = this.#deliver(delivery)));
  }

  async #deliver(delivery) {
    const { scheduler, faults, deadLetter } = this.#parts;
    const { consumer, batch } = delivery;
    // The connection was lost before the batch arrived.
    if (this.#delivery !== delivery) return;
    const outcome = await consumer.deliver(batch).catch(() => null);
    const { answerMs, isLostAfter } = faults.fateOf('broker', consumer.name);
    scheduler.after(outcome === null ? retryMs : answerMs, network, () => {
      if (this.#delivery !== delivery) return;
      if (outcome !== null && !isLostAfter) {
        for (const { message, cause } of outcome.rejected)
          deadLetter(`${message.type} ${message.id}: ${cause.message}`);
        this.#waiting.splice(0, batch.length);
      }
      this.#delivery = null;
      this.resume();
    });
  }

  #topics = new Map();

  #wants({ destination, type }) {
    return this.#topics.get(destination)?.has(type) === true;
  }

  #release(consumer) {
    if (this.#delivery?.consumer === consumer) this.#delivery = null;
    if (!consumer.isOpen) this.#consumers = this.#consumers.filter((one) => one !== consumer);
    this.resume();
  }
}
