/** The most recent values of one kind. */
class Recent {
  #items = [];
  #next = 0;
  #most;

  constructor(most) {
    this.#most = most;
  }

  add(item) {
    this.#items[this.#next] = item;
    this.#next = (this.#next + 1) % this.#most;
  }

  pick(random) {
    return this.#items.length === 0 ? undefined : random.pick(this.#items);
  }
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const mostItems = 300;

/** The values that one tenant knows from real responses: ids by property name, ids of events, and tokens of next pages. */
export class KnownValues {
  #byName = new Map();
  #events = new Recent(mostItems);
  #tokens = new Recent(50);

  addEvent(id) {
    this.#events.add(id);
  }

  /** Collects values from the JSON of a response. */
  learn(value, name = '') {
    if (typeof value === 'string') this.#learnText(value, name);
    else if (Array.isArray(value)) for (const item of value) this.learn(item, name);
    else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) this.learn(item, key);
    }
  }

  event(random) {
    return this.#events.pick(random);
  }

  token(random) {
    return this.#tokens.pick(random);
  }

  /** An id of that property, or of any property if there is none. */
  id(name, random) {
    const values = this.#byName.get(name) ?? random.pick([...this.#byName.values()]);
    return values?.pick(random);
  }

  #learnText(text, name) {
    if (name === 'next') this.#tokens.add(text);
    if (!uuid.test(text)) return;
    let values = this.#byName.get(name);
    if (values === undefined) {
      // GraphQL aliases give an unlimited number of names.
      if (this.#byName.size >= 40) return;
      this.#byName.set(name, (values = new Recent(mostItems)));
    }
    values.add(text);
  }
}
