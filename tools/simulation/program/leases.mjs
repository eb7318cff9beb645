/** The leases of a simulated database, by its clock. */
export class Leases {
  #leaseMs;
  #onReleased;
  #held = new Map();

  constructor(leaseMs, onReleased) {
    this.#leaseMs = leaseMs;
    this.#onReleased = onReleased;
  }

  hold(connection, lane) {
    const holder = this.#holderOf(lane);
    if (holder !== null && holder !== connection) return false;
    this.#held.set(lane, { connection, until: Date.now() + this.#leaseMs });
    return true;
  }

  release(connection, lane) {
    if (this.#holderOf(lane) !== connection) return;
    this.#held.delete(lane);
    this.#onReleased(lane);
  }

  releaseAll(connection) {
    for (const [lane, { connection: holder }] of this.#held) if (holder === connection) this.release(connection, lane);
  }

  /** Ends all leases, as if they had expired: their holders do not know it. */
  loseAll() {
    this.#held.clear();
  }

  read(connection, prefix) {
    return [...this.#held]
      .filter(([lane]) => lane.startsWith(prefix) && this.#holderOf(lane) !== null)
      .map(([lane, { connection: holder, until }]) => ({
        lane,
        holder,
        process: `${holder}:1`,
        isOwn: holder === connection,
        expiresInMs: until - Date.now(),
      }))
      .toSorted((a, b) => (a.lane < b.lane ? -1 : 1));
  }

  holders(prefix) {
    return new Set(this.read(null, prefix).map(({ holder }) => holder));
  }

  #holderOf(lane) {
    const lease = this.#held.get(lane);
    return lease === undefined || lease.until <= Date.now() ? null : lease.connection;
  }
}
