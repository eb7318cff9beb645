/** The owner of what the broker and clients do: they have no process, and do not crash. */
export const network = Object.freeze({ isDown: false, frozenUntil: 0, enter() {} });

/** Runs everything that promises of this process can do by themselves. A turn of the event loop for each event would take longer than the event. */
const { _tickCallback: settle } = process;

/** Virtual time: runs events in the order of their times. Everything that one event causes at once has ended before the next one runs. */
export class Scheduler {
  /** Milliseconds since the start. */
  now = 0;
  /** How many events have run. */
  count = 0;
  #queue = [];
  #sequence = 0;

  /** Runs `action` after a delay, unless its owner has crashed until then. A frozen owner runs it later. Returns what `cancel` needs. */
  after(ms, owner, action) {
    // A process that has ended causes nothing.
    if (owner === null) return { action: null };
    const event = { time: this.now + ms, sequence: this.#sequence++, owner, action };
    this.#push(event);
    return event;
  }

  cancel(event) {
    event.action = null;
  }

  /** Runs events until a condition is true after one of them, or until a time. Resolves with whether the condition became true. */
  run(until, isDone = () => false) {
    // Promises continue between events only outside of a promise.
    return new Promise((resolve, reject) =>
      setImmediate(() => {
        try {
          resolve(this.#run(until, isDone));
        } catch (error) {
          reject(error);
        }
      }),
    );
  }

  #run(until, isDone) {
    for (;;) {
      if (isDone()) return true;
      const next = this.#queue[0];
      if (next === undefined || next.time > until) break;
      this.#pop();
      if (next.action === null || next.owner.isDown) continue;
      if (next.owner.frozenUntil > next.time) {
        next.time = next.owner.frozenUntil;
        this.#push(next);
        continue;
      }
      this.now = next.time;
      this.count++;
      next.owner.enter();
      next.action();
      settle();
    }
    this.now = Math.max(this.now, until);
    return false;
  }

  #push(event) {
    const queue = this.#queue;
    let at = queue.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(event, queue[parent])) break;
      queue[at] = queue[parent];
      at = parent;
    }
    queue[at] = event;
  }

  #pop() {
    const queue = this.#queue;
    const last = queue.pop();
    if (queue.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= queue.length) break;
      if (child + 1 < queue.length && isBefore(queue[child + 1], queue[child])) child++;
      if (!isBefore(queue[child], last)) break;
      queue[at] = queue[child];
      at = child;
    }
    queue[at] = last;
  }
}

function isBefore(a, b) {
  return a.time < b.time || (a.time === b.time && a.sequence < b.sequence);
}
