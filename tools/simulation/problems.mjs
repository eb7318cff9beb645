const mostPerInvariant = 5;

/** The violations of one simulation, by the name of the invariant. */
export class Problems {
  list = [];
  #counts = new Map();

  add(invariant, text) {
    const count = (this.#counts.get(invariant) ?? 0) + 1;
    this.#counts.set(invariant, count);
    if (count <= mostPerInvariant) this.list.push({ invariant, text });
  }
}
