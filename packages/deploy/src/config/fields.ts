import { DeployError } from '../deploy-error.js';

/** Reads the fields of a JSON object. Rejects missing, mistyped and unknown fields with their path. */
export class Fields {
  readonly #value: Record<string, unknown>;
  readonly #at: string;
  readonly #seen = new Set<string>();

  constructor(value: unknown, at: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(`${at} must be an object.`);
    this.#value = value as Record<string, unknown>;
    this.#at = at;
  }

  /** The path of the object or of one of its fields, for messages. */
  at(name?: string): string {
    return name === undefined ? this.#at : `${this.#at}.${name}`;
  }

  /** For objects with arbitrary field names. */
  names(): readonly string[] {
    return Object.keys(this.#value);
  }

  has(name: string): boolean {
    this.#seen.add(name);
    return this.#value[name] !== undefined;
  }

  text(name: string, fallback?: string): string {
    return this.#read(name, 'a string', (value) => typeof value === 'string' && value !== '', fallback) as string;
  }

  number(name: string, fallback?: number): number {
    return this.#read(
      name,
      'a number of at least 0',
      (value) => typeof value === 'number' && value >= 0,
      fallback,
    ) as number;
  }

  flag(name: string, fallback: boolean): boolean {
    return this.#read(name, 'true or false', (value) => typeof value === 'boolean', fallback) as boolean;
  }

  oneOf<T extends string>(name: string, values: readonly T[], fallback?: T): T {
    return this.#read(name, `one of ${values.join(', ')}`, (value) => values.includes(value as T), fallback) as T;
  }

  texts(name: string, fallback?: readonly string[]): readonly string[] {
    const isTexts = (value: unknown): boolean =>
      Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '');
    return this.#read(name, 'a list of strings', isTexts, fallback) as readonly string[];
  }

  object(name: string): Fields {
    this.#seen.add(name);
    return new Fields(this.#value[name], `${this.#at}.${name}`);
  }

  textOrObject(name: string): string | Fields {
    const isRight = (value: unknown): boolean =>
      typeof value === 'string' || (typeof value === 'object' && value !== null);
    const value = this.#read(name, 'a string or an object', isRight, undefined);
    return typeof value === 'string' ? value : this.object(name);
  }

  objects(name: string): readonly Fields[] {
    const list = this.#read(name, 'a list', Array.isArray, []) as readonly unknown[];
    return list.map((item, i) => new Fields(item, `${this.#at}.${name}[${i}]`));
  }

  any(name: string): unknown {
    this.#seen.add(name);
    return this.#value[name];
  }

  /** Rejects unknown fields. Must be called last. */
  end(): void {
    const unknown = Object.keys(this.#value).filter((name) => !this.#seen.has(name));
    if (unknown.length > 0)
      throw invalid(
        `${this.#at} has an unknown setting: ${unknown.join(', ')}. Known settings: ${[...this.#seen].join(', ')}.`,
      );
  }

  #read(name: string, wanted: string, isRight: (value: unknown) => boolean, fallback: unknown): unknown {
    this.#seen.add(name);
    const value = this.#value[name];
    if (value === undefined && fallback !== undefined) return fallback;
    if (!isRight(value)) throw invalid(`${this.#at}.${name} must be ${wanted}.`);
    return value;
  }
}

function invalid(message: string): DeployError {
  return new DeployError('invalid', message);
}
