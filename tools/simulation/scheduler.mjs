/** The owner of what databases, brokers and clients do: none of them crashes. */
export const network = Object.freeze({ isDown: false, frozenUntil: 0 });

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

  /** Runs events until a condition is true after one of them, or until a time. Returns whether the condition became true. */
  async run(until, isDone = () => false) {
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
      next.action();
      await settled();
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

/** Resolves when no promise of this process can continue by itself. */
function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}
