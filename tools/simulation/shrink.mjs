/** Finds a shorter plan that still violates the same invariant. */
const mostTries = 300;
const longestMs = 120_000;

/**
 * `violates(plan)` runs a plan, and resolves with whether it still violates the invariant. Returns the shortest plan that was found, and the
 * number of tries.
 */
export async function shrunk(plan, violates, { tries = mostTries, ms = longestMs } = {}) {
  const shrinking = new Shrinking(plan, violates, tries, performance.now() + ms);
  await shrinking.run();
  return { plan: shrinking.best, tries: tries - shrinking.left };
}

class Shrinking {
  best;
  left;
  #violates;
  #until;

  constructor(plan, violates, tries, until) {
    this.best = plan;
    this.left = tries;
    this.#violates = violates;
    this.#until = until;
  }

  async run() {
    for (let before = Infinity; this.best.steps.length < before && !this.#isOver;) {
      before = this.best.steps.length;
      await this.#removeSteps();
    }
    await this.#removeHosts();
    await this.#accepts({ hosts: this.best.hosts.map((host) => ({ ...host, skewMs: 0 })) });
    await this.#accepts({ hasTicks: false });
  }

  get #isOver() {
    return this.left <= 0 || performance.now() > this.#until;
  }

  async #accepts(change) {
    if (this.#isOver) return false;
    this.left--;
    const candidate = { ...this.best, ...change };
    if (!(await this.#violates(candidate))) return false;
    this.best = candidate;
    return true;
  }

  /** Removes ever smaller parts. */
  async #removeSteps() {
    for (let size = Math.max(1, this.best.steps.length >> 1); size >= 1; size >>= 1) {
      for (let at = 0; at < this.best.steps.length && !this.#isOver;) {
        if (!(await this.#accepts({ steps: this.best.steps.toSpliced(at, size) }))) at += size;
      }
    }
  }

  /** Of each service, one host remains. Requests to another one go to any host. */
  async #removeHosts() {
    for (const host of this.best.hosts.toReversed()) {
      const hosts = this.best.hosts.filter((other) => other !== host);
      const isNeeded = this.best.steps.some((step) => step.host === host.name && step.kind !== 'request');
      if (!isNeeded && hosts.some(({ service }) => service === host.service)) await this.#accepts({ hosts });
    }
  }
}
