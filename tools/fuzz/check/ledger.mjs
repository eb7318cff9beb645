/** What the service has answered, for each caller: the log must hold as much, and nothing else. */
export class Ledger {
  #callers = new Map();
  /** The last event of each answer that has one, with the request and the caller it belongs to. */
  #events = new Map();

  /** Notes that a request of a caller committed so many commands, the last of them with this event. */
  answered({ number, caller }, commands, lastEvent) {
    if (commands > 0) this.#of(caller.userId).commands += commands;
    if (lastEvent !== undefined) this.#events.set(lastEvent, { number, userId: caller.userId });
  }

  /** Notes that nothing is known of what became of a request: its caller cannot be judged any more. */
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
