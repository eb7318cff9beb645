/** A simulated database: its process, and the connections of hosts to it. */
import { network } from './scheduler.mjs';
import { Realm } from './realm.mjs';

export const leaseMs = 2_000;

export class DatabaseServer {
  /** The process of the database. */
  realm;
  database;
  /** Reads the data without a connection, for checks. */
  storage;
  #world;
  #upFrom = 0;
  /** The messages that are delivered, and the events that reactions have processed. */
  #settled = new Set();
  /** The handlers of notifications, by connection. */
  #listeners = new Map();

  /** `world`: `{ scheduler, random, faults, program, trace }`. */
  constructor(world, name) {
    this.#world = world;
    this.name = name;
    this.realm = new Realm(world, world.randomOfProcess(name), 0);
    this.realm.enter();
    const { SimulatedDatabase } = world.program.exports;
    this.database = new SimulatedDatabase({
      leaseMs,
      notify: (...args) => this.#notify(...args),
      committed: (connection, record) => this.#settle(connection, record),
    });
    this.storage = this.database.readonlyStorage;
  }

  /** Answers nothing for a while. All connections are lost. */
  interrupt(ms) {
    this.#upFrom = this.#world.scheduler.now + ms;
    this.#world.scheduler.after(ms, network, () => this.#tellAll('reconnected', null));
  }

  heal() {
    this.#upFrom = 0;
    this.#tellAll('reconnected', null);
  }

  loseLeases() {
    this.database.leases.loseAll();
  }

  /** The link of a host to this database. `connection` is unique. */
  linkOf(host, connection) {
    return {
      call: (name, args) => this.#call(host, connection, name, args),
      listen: (handler) => this.#listeners.set(connection, { host, handler }),
      close: () => this.#listeners.delete(connection),
    };
  }

  disconnect(connection) {
    this.#listeners.delete(connection);
  }

  get #isUp() {
    return this.#world.scheduler.now >= this.#upFrom;
  }

  #call(host, connection, name, args) {
    const { scheduler, faults } = this.#world;
    const realm = host.realm;
    const fate = faults.fateOf('database', host.name);
    const isSent = host.called();
    return new Promise((resolve, reject) => {
      const answerAfter = (ms, settle, value) => scheduler.after(ms, realm, () => settle(value));
      if (!this.#isUp) return answerAfter(fate.answerMs, reject, { wasSent: false });
      if (fate.isLostBefore || !isSent) return answerAfter(fate.requestMs, reject, { wasSent: true });
      scheduler.after(fate.requestMs, this.realm, async () => {
        if (!this.#isUp) return answerAfter(fate.answerMs, reject, { wasSent: true });
        const answer = await this.database.answer(connection, name, args);
        this.#record(connection, name, args, answer);
        const isLost = fate.isLostAfter;
        answerAfter(fate.answerMs, isLost ? reject : resolve, isLost ? { wasSent: true } : answer);
      });
    });
  }

  #record(connection, name, args, { failure, result }) {
    if (name === 'commit') {
      for (const [i, record] of args[0].entries())
        this.#recordCommit(connection, record, result?.[i] ?? failure ?? null);
    } else if (name === 'perspectives.commitPerspective') {
      this.#world.trace.add(
        this.name,
        `${connection} models of ${args[0].perspective} to ${args[0].to}${reason(failure)}`,
      );
    }
  }

  #recordCommit(connection, { events, delivered, received }, failure) {
    const what = [
      ...events.map(({ type, id }) => `${type} ${id}`),
      ...(delivered === null ? [] : [`delivered ${delivered.ids.length} of ${delivered.lane}`]),
      ...(received.length === 0 ? [] : [`received ${received.length}`]),
    ];
    this.#world.trace.add(this.name, `${connection} commits ${what.join(', ')}${reason(failure)}`);
  }

  /** A message is delivered by one commit that takes effect, and an event processed by one of each reaction. */
  #settle(connection, { delivered, reacted }) {
    const ids = [
      ...(delivered?.ids ?? []),
      ...(reacted === undefined ? [] : [`${reacted.reaction} ${reacted.eventId}`]),
    ];
    for (const id of ids) {
      if (!this.#settled.has(id)) this.#settled.add(id);
      else this.#world.problems.add('messages are settled once', `${this.name}: ${connection} settled ${id} again`);
    }
  }

  #notify(connection, kind, value) {
    const { scheduler, faults } = this.#world;
    for (const [name, { host, handler }] of this.#listeners) {
      if (connection !== null ? connection !== name : kind === 'outgoing' && value === name) continue;
      const { requestMs, isLostBefore } = faults.fateOf('database', host.name);
      if (this.#isUp && !isLostBefore) scheduler.after(requestMs, host.realm, () => handler(kind, value));
    }
  }

  #tellAll(kind, value) {
    for (const name of this.#listeners.keys()) this.#notify(name, kind, value);
  }
}

function reason(failure) {
  return failure === undefined || failure === null ? '' : `: ${failure.kind}`;
}
