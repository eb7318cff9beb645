import { dateOf, decimalOf, numberOf, textOf } from './dictionary.mjs';

/** The values of one request: texts with the marker of the caller's tenant, and ids that exist, do not exist, or belong to another tenant. */
export class Values {
  random;
  /** Ids of another tenant in the request. */
  foreignIds = [];
  #tenant;

  constructor(random, tenant) {
    this.random = random;
    this.#tenant = tenant;
  }

  /** An id for a property, such as `orderId`. */
  id(name) {
    const { random } = this;
    const id = random.weighted([
      [70, () => this.#tenant.known.id(name, random)],
      [10, () => this.#foreign((known) => known.id(name, random))],
      [20, () => undefined],
    ])();
    return id ?? random.uuid();
  }

  /** The id of an event, for `afterEvent`. */
  event() {
    const { random } = this;
    const id = random.weighted([
      [60, () => this.#tenant.known.event(random)],
      [25, () => this.#foreign((known) => known.event(random))],
      [15, () => undefined],
    ])();
    return id ?? random.uuid();
  }

  /** A token of a next page from a real response, of the caller's tenant or of another one. */
  pageToken() {
    const { random } = this;
    const { known, other } = this.#tenant;
    return (random.chance(0.8) ? known : other.known).token(random) ?? random.hex(24);
  }

  text(name, least, most) {
    return textOf(name, this.random, this.#tenant.marker, least, most);
  }

  number(name, least, most) {
    return numberOf(name, this.random, least, most);
  }

  decimal() {
    return decimalOf(this.random);
  }

  date() {
    return dateOf(this.random);
  }

  #foreign(pick) {
    const id = pick(this.#tenant.other.known);
    if (id !== undefined) this.foreignIds.push(id);
    return id;
  }
}
