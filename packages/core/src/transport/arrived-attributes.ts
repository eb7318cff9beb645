import { attributePrefix } from './cloud-event.js';
import { malformedCloudEvent } from './malformed-cloud-event.js';

/** The prefix of the AMQP binding for brokers that allow a colon in names. */
const otherPrefix = 'cloudEvents:';

/** Reads the attributes of a CloudEvent by their names without a prefix. */
export class ArrivedAttributes {
  readonly #headers: Readonly<Record<string, unknown>>;
  readonly #structured: Readonly<Record<string, unknown>>;
  /** Whether an attribute can be in one place only, as in every message of svc. */
  readonly #isSimple: boolean;

  /** `structured`: the attributes in the body; undefined in binary mode. */
  constructor(headers: Readonly<Record<string, unknown>>, structured?: Readonly<Record<string, unknown>>) {
    this.#headers = headers;
    this.#structured = structured ?? {};
    this.#isSimple = structured === undefined && !Object.keys(headers).some((name) => name.startsWith(otherPrefix));
  }

  /** The value of an attribute. Throws if it is given more than once with different values: nobody could tell which one counts. */
  valueOf(name: string): unknown {
    const usual = own(this.#headers, attributePrefix + name);
    if (this.#isSimple) return usual;
    const places = [usual, own(this.#headers, otherPrefix + name), own(this.#structured, name)];
    const [value, ...others] = places.filter((one) => one !== undefined);
    if (others.some((other) => other !== value)) throw malformedCloudEvent(name, 'it has two different values');
    return value;
  }

  /** The text of an attribute; undefined: it is absent. */
  textOf(name: string): string | undefined {
    const value = this.valueOf(name);
    if (value !== undefined && typeof value !== 'string') throw malformedCloudEvent(name);
    return value;
  }
}

function own(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
