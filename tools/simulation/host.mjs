/** A simulated host: its process starts, crashes, freezes, stops and starts again. */
import { leaseMs } from './database-server.mjs';
import { Realm } from './realm.mjs';
import { network } from './scheduler.mjs';

/** Of the storage. Short, so that much happens in little time. */
const times = { pollMs: 2_000, leaseMs };
/** How long a broker waits for a process that does not answer, before it gives its messages to another one. */
const heartbeatMs = 2_500;
const longestStopMs = 60_000;

export class Host {
  realm = null;
  /** The running program; null: the host is down or starts. */
  app = null;
  skewMs;
  #world;
  #starts = 0;
  #connection = '';
  /** What happens after some more calls: `{ callsLeft, isLastSent, areLaterSent, action }`; null: nothing. */
  #fault = null;

  /** `world`: `{ scheduler, random, program, broker, trace, problems }`. */
  constructor(world, { name, service, other, database, skewMs }) {
    this.#world = world;
    this.name = name;
    this.service = service;
    this.other = other;
    this.database = database;
    this.skewMs = skewMs;
  }

  get isDown() {
    return this.realm === null;
  }

  start() {
    if (!this.isDown) return;
    const { scheduler, program, trace } = this.#world;
    this.#connection = `${this.name}#${++this.#starts}`;
    const realm = new Realm(this.#world, this.#world.randomOfProcess(this.#connection), this.skewMs);
    this.realm = realm;
    this.#fault = null;
    trace.add(this.name, 'starts');
    const parts = {
      name: this.service,
      other: this.other,
      database: this.database.linkOf(this, this.#connection),
      broker: this.#world.broker.linkOf(this),
      times,
      hasTicks: this.#world.hasTicks,
      report: (error) => this.#report(error),
    };
    scheduler.after(0, realm, () => void this.#waitFor(program.exports.startHost(parts), realm));
  }

  async #waitFor(app, realm) {
    const { trace } = this.#world;
    try {
      await app.ready();
      if (this.realm !== realm) return;
      this.app = app;
      trace.add(this.name, 'is ready');
    } catch (error) {
      trace.add(this.name, `cannot start: ${error.code ?? error.message}`);
      if (this.realm === realm) this.#restartAfter(1_000);
    }
  }

  /** Ends the process at once. */
  crash() {
    if (this.isDown) return;
    this.#world.trace.add(this.name, 'crashes');
    this.#end();
  }

  /** Lets the host make some more calls, then crashes it. `isLastSent`: whether the last call still arrives. */
  crashAfter(calls, isLastSent, onCrash) {
    const action = () => {
      this.crash();
      onCrash();
    };
    this.#fault = { callsLeft: calls, isLastSent, areLaterSent: false, action };
  }

  /** Lets the host make some more calls, then freezes it, so that it is in the middle of something. */
  freezeAfter(calls, ms) {
    const action = () => this.#freeze(ms);
    this.#fault = { callsLeft: calls, isLastSent: true, areLaterSent: true, action };
  }

  /** No fault that was planned happens any more. */
  heal() {
    this.#fault = null;
  }

  /** Whether a call of the process leaves it. */
  called() {
    const fault = this.#fault;
    if (fault === null) return true;
    if (fault.callsLeft <= 0) return fault.areLaterSent;
    if (--fault.callsLeft > 0) return true;
    const { realm } = this;
    this.#world.scheduler.after(0, network, () => {
      if (this.realm !== realm) return;
      this.#fault = null;
      fault.action();
    });
    return fault.isLastSent;
  }

  /** The process does not run for a while, and does not notice it. */
  #freeze(ms) {
    const { scheduler, broker, trace } = this.#world;
    const { realm } = this;
    trace.add(this.name, `freezes for ${ms} ms`);
    realm.frozenUntil = Math.max(realm.frozenUntil, scheduler.now + ms);
    if (ms <= heartbeatMs) return;
    scheduler.after(heartbeatMs, network, () => broker.disconnect(realm));
    scheduler.after(ms, network, () => broker.reconnect(realm));
  }

  setClock(skewMs) {
    this.#world.trace.add(this.name, `has its clock set to ${skewMs} ms ahead`);
    this.skewMs = skewMs;
    if (this.realm !== null) this.realm.skewMs = skewMs;
  }

  /** Stops the process as an operator does. `onStopped` is called when it has ended. */
  stop(onStopped) {
    const { app, realm } = this;
    if (app === null) return;
    const { scheduler, trace } = this.#world;
    trace.add(this.name, 'stops');
    this.app = null;
    const ended = () => {
      if (this.realm !== realm) return;
      this.#end();
      onStopped();
    };
    scheduler.after(0, realm, () =>
      app.stop().then(ended, (error) => this.#world.problems.add('quiescence', `${this.name} cannot stop: ${error}`)),
    );
    scheduler.after(longestStopMs, network, () => {
      if (this.realm !== realm) return;
      if (realm.frozenUntil === 0) this.#world.problems.add('quiescence', `${this.name} did not stop`);
      ended();
    });
  }

  #end() {
    this.realm.isDown = true;
    this.#world.broker.disconnect(this.realm);
    this.database.disconnect(this.#connection);
    this.#world.ended(this);
    this.realm = null;
    this.app = null;
    this.#fault = null;
  }

  /** As an orchestrator does with a process that has ended. */
  #restartAfter(ms) {
    this.#end();
    this.#world.scheduler.after(ms, network, () => this.start());
  }

  /** Errors of background work are expected while there are faults, but never those of the language. */
  #report(error) {
    this.#world.reported++;
    if (error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError) {
      this.#world.problems.add('no internal errors', `${this.name} reports ${error.stack}`);
    }
    this.#world.trace.add(this.name, `reports ${error?.code ?? error?.message}`);
  }
}
