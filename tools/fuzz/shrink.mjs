/** Shrinks a failing request while it fails in the same way. */
const mostTries = 150;

/** `fails(request)` sends a request and returns whether it fails like the original. */
export async function shrunk(request, fails) {
  const shrinking = new Shrinking(request, fails);
  // A failure that does not repeat cannot be shrunk.
  if (!(await shrinking.accepts({}))) return request;
  await shrinking.run();
  return shrinking.best;
}

class Shrinking {
  best;
  #fails;
  #left = mostTries;

  constructor(request, fails) {
    this.best = request;
    this.#fails = fails;
  }

  async accepts(change) {
    const candidate = { ...this.best, ...change };
    if (this.#left-- <= 0 || !(await this.#fails(candidate))) return false;
    this.best = candidate;
    return true;
  }

  async run() {
    if (this.best.framing !== undefined) await this.accepts({ framing: undefined });
    const question = this.best.target.indexOf('?');
    if (question !== -1) await this.accepts({ target: this.best.target.slice(0, question) });
    for (const header of this.best.headers) {
      await this.accepts({ headers: this.best.headers.filter((other) => other !== header) });
    }
    if (this.best.body !== null) await this.#shrinkBody();
  }

  /** Removes ever smaller pieces. */
  async #shrinkBody() {
    for (let size = this.best.body.length >> 1; size >= 1; size >>= 1) {
      for (let at = 0; at < this.best.body.length && this.#left > 0;) {
        const { body } = this.best;
        const shorter = Buffer.concat([body.subarray(0, at), body.subarray(at + size)]);
        if (!(await this.accepts({ body: shorter }))) at += size;
      }
    }
  }
}
