const refusedMs = 500;

/** The leases of a host: it asks the database again only in the second half of their time, as the storages do. */
export class HostLeases {
  #call;
  #leaseMs;
  #heldUntil = new Map();
  #refusedUntil = new Map();
  #listeners = [];
  #waking = new Set();

  /** `call(name, ...args)` calls the database. */
  constructor(call, leaseMs) {
    this.#call = call;
    this.#leaseMs = leaseMs;
  }

  async hold(lane) {
    const asked = performance.now();
    if ((this.#heldUntil.get(lane) ?? 0) - asked > this.#leaseMs / 2) return true;
    const isHeld = await this.#call('hold', lane);
    if (isHeld) this.#heldUntil.set(lane, asked + this.#leaseMs);
    else this.#heldUntil.delete(lane);
    return isHeld;
  }

  /** For calls after every commit: a host whose lane another host holds does not ask again for a moment. */
  isRefused(lane) {
    return (this.#refusedUntil.get(lane) ?? 0) > performance.now();
  }

  refused(lane) {
    this.#refusedUntil.set(lane, performance.now() + refusedMs);
  }

  async release(lane) {
    this.#heldUntil.delete(lane);
    await this.#call('release', lane);
  }

  readHeld(prefix) {
    return this.#call('readHeld', prefix);
  }

  onReleased(listener) {
    this.#listeners.push(listener);
  }

  released() {
    this.#refusedUntil.clear();
    for (const listener of this.#listeners) listener();
  }

  /** Wakes the other holders, at most once in a while. A notification that is lost delays the work until the next poll. */
  wakeHolders(prefix) {
    if (this.#waking.has(prefix)) return;
    this.#waking.add(prefix);
    setTimeout(() => {
      this.#waking.delete(prefix);
      this.#call('wakeHolders', prefix).catch(() => {});
    }, 20);
  }
}
