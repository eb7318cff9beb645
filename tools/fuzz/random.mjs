/** A seeded source of choices (sfc32). Each request has its own, so that it does not depend on earlier requests. */
export class Random {
  #a;
  #b;
  #c;
  #counter = 1;

  constructor(seed, stream = 0) {
    this.#a = seed | 0;
    this.#b = stream | 0;
    this.#c = (stream / 0x100000000) | 0;
    // Seeds that differ in one bit give unrelated numbers only after some rounds.
    for (let i = 0; i < 12; i++) this.#next();
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit) {
    return Math.floor((this.#next() / 0x100000000) * limit);
  }

  between(least, most) {
    return least + this.below(most - least + 1);
  }

  chance(probability) {
    return this.#next() < probability * 0x100000000;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** Picks by weight from a list of `[weight, value]`. */
  weighted(list) {
    let left = this.below(list.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, value] of list) {
      left -= weight;
      if (left < 0) return value;
    }
    return list.at(-1)[1];
  }

  hex(digits) {
    let text = '';
    while (text.length < digits) text += this.#next().toString(16).padStart(8, '0');
    return text.slice(0, digits);
  }

  /** A UUID of version 4. */
  uuid() {
    const hex = this.hex(30);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(12, 15)}-a${hex.slice(15, 18)}-${hex.slice(18)}`;
  }

  bytes(length) {
    return Buffer.from(this.hex(length * 2), 'hex');
  }

  #next() {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }
}
