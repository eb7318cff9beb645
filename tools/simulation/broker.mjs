/** The simulated broker: durable queues of services, of which one host at a time consumes, and inboxes. */
import { network } from './scheduler.mjs';
import { Inbox } from './inbox.mjs';
import { EventQueue } from './event-queue.mjs';

export class Broker {
  /** Messages that a host rejected for ever. */
  deadLetters = [];
  #world;
  #queues = new Map();
  #inboxes = new Map();
  #upFrom = 0;

  /** `world`: `{ scheduler, random, faults, program }`. */
  constructor(world) {
    this.#world = world;
  }

  interrupt(ms) {
    this.#upFrom = this.#world.scheduler.now + ms;
    this.#world.scheduler.after(ms, network, () => this.#resume());
  }

  heal() {
    this.#upFrom = 0;
    this.#resume();
  }

  /** How many messages wait. */
  get size() {
    return this.#all().reduce((sum, queue) => sum + queue.size, 0);
  }

  get isUp() {
    return this.#world.scheduler.now >= this.#upFrom;
  }

  linkOf(host) {
    const parts = { ...this.#world, isUp: () => this.isUp, deadLetter: (letter) => this.deadLetters.push(letter) };
    const queueOf = (map, name, create) => map.get(name) ?? map.set(name, create()).get(name);
    return {
      publish: (messages) => this.#publish(host, messages),
      consume: (name, topics, deliver) => {
        const queue = queueOf(this.#queues, `${host.service}/${name}`, () => new EventQueue(parts, host.service));
        return queue.consume(host, topics, deliver);
      },
      openInbox: (deliver) => queueOf(this.#inboxes, host.service, () => new Inbox(parts)).consume(host, deliver),
    };
  }

  /** The connections of a process end: what it has not acknowledged goes to another host. */
  disconnect(realm) {
    for (const queue of this.#all()) queue.disconnect(realm);
  }

  /** A process that did not answer for a while connects again. */
  reconnect(realm) {
    for (const queue of this.#all()) queue.reconnect(realm);
  }

  #publish(host, messages) {
    const { scheduler, faults } = this.#world;
    const fate = faults.fateOf('broker', host.name);
    const isSent = host.called();
    return new Promise((resolve, reject) => {
      const answerAfter = (ms, settle, value) => scheduler.after(ms, host.realm, () => settle(value));
      if (fate.isLostBefore || !isSent) return answerAfter(fate.requestMs, reject, new Error('lost'));
      scheduler.after(fate.requestMs, network, () => {
        if (!this.isUp) return answerAfter(fate.answerMs, reject, new Error('down'));
        const unknown = this.#route(host.service, messages);
        answerAfter(fate.answerMs, fate.isLostAfter ? reject : resolve, fate.isLostAfter ? new Error('lost') : unknown);
      });
    });
  }

  #route(origin, messages) {
    const unknown = [];
    for (const message of messages) {
      const arrived = { ...message, signature: null, provenOrigin: origin, routedType: null };
      const service = this.#world.program.exports.hostOfInbox(message.destination);
      if (service === null) for (const queue of this.#queues.values()) queue.add(arrived);
      else if (this.#inboxes.has(service)) this.#inboxes.get(service).add(arrived);
      else unknown.push(message.id);
    }
    return unknown;
  }

  #resume() {
    for (const queue of this.#all()) queue.resume();
  }

  #all() {
    return [...this.#queues.values(), ...this.#inboxes.values()];
  }
}
