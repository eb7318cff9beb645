/** A power of two, as all sizes of the table are. */
const smallestTable = 1_024;

/**
 * The places of ids in a log. A hash table of numbers alone, since ids are many and stay: a `Map` of them would be looked through by the
 * collector, and stand still whenever it grows.
 */
export class IdTable {
  readonly #idAt: (place: number) => string;
  /** Nobody can choose ids that fall on each other without knowing it. */
  readonly #seed = crypto.getRandomValues(new Int32Array(1))[0]!;
  /** The place of an id, plus one; 0 where the table is free. */
  #places = new Int32Array(smallestTable);
  #hashes = new Int32Array(smallestTable);
  #count = 0;

  /** `idAt` tells the id at a place that was added. */
  constructor(idAt: (place: number) => string) {
    this.#idAt = idAt;
  }

  /** The place of an id; -1 when it has none. */
  find(id: string): number {
    return this.#places[this.#slotOf(id, this.#hashOf(id))]! - 1;
  }

  add(id: string, place: number): void {
    const hash = this.#hashOf(id);
    const slot = this.#slotOf(id, hash);
    this.#places[slot] = place + 1;
    this.#hashes[slot] = hash;
    this.#count++;
    if (this.#count * 2 > this.#places.length) this.#grow();
  }

  /** Where an id stands in the table, or would stand. */
  #slotOf(id: string, hash: number): number {
    const mask = this.#places.length - 1;
    let slot = hash & mask;
    while (this.#places[slot] !== 0 && !this.#isAt(slot, id, hash)) slot = (slot + 1) & mask;
    return slot;
  }

  #isAt(slot: number, id: string, hash: number): boolean {
    return this.#hashes[slot] === hash && this.#idAt(this.#places[slot]! - 1) === id;
  }

  #grow(): void {
    const [places, hashes] = [this.#places, this.#hashes];
    this.#places = new Int32Array(places.length * 2);
    this.#hashes = new Int32Array(places.length * 2);
    const mask = this.#places.length - 1;
    places.forEach((place, i) => {
      if (place === 0) return;
      let slot = hashes[i]! & mask;
      while (this.#places[slot] !== 0) slot = (slot + 1) & mask;
      this.#places[slot] = place;
      this.#hashes[slot] = hashes[i]!;
    });
  }

  /** FNV-1a. */
  #hashOf(id: string): number {
    let hash = this.#seed;
    for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x0100_0193);
    return hash;
  }
}
