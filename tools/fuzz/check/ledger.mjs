/** The responses of the service for each caller. The log must contain the same, and nothing else. */
export class Ledger {
  #callers = new Map();
  /** The last event of each response that has one, with its request and caller. */
  #events = new Map();

  /** Records that a request committed a number of commands, the last of them with this event. */
  answered({ number, caller }, commands, lastEvent) {
    if (commands > 0) this.#of(caller.userId).commands += commands;
    if (lastEvent !== undefined) this.#events.set(lastEvent, { number, userId: caller.userId });
  }

  /** Records that the outcome of a request is unknown: its caller cannot be checked any more. */
  lost({ caller }) {
    this.#of(caller.userId).isCertain = false;
  }

  get commands() {
    return [...this.#callers.values()].reduce((sum, { commands }) => sum + commands, 0);
  }

  /** By user: how many commands were answered, and whether that is all of them. */
  get callers() {
    return this.#callers;
  }

  get events() {
    return this.#events;
  }

  #of(userId) {
    let entry = this.#callers.get(userId);
    if (entry === undefined) this.#callers.set(userId, (entry = { commands: 0, isCertain: true }));
    return entry;
  }
}
