import { UsageError } from '../failures.js';

/** The options given on the command line, and the defaults of others. */
export class Options {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #defaults: Readonly<Record<string, string>>;

  constructor(values: Readonly<Record<string, unknown>>, defaults: Readonly<Record<string, string>> = {}) {
    this.#values = values;
    this.#defaults = defaults;
  }

  text(name: string): string | undefined {
    return (this.#values[name] as string | undefined) ?? this.#defaults[name];
  }

  /** The value of an option whose description has a default. */
  defaulted(name: string): string {
    const text = this.text(name);
    if (text === undefined) throw new Error(`The description of --${name} has no default.`);
    return text;
  }

  texts(name: string): readonly string[] {
    return (this.#values[name] as readonly string[] | undefined) ?? [];
  }

  flag(name: string): boolean {
    return this.#values[name] === true;
  }

  /** Those of some options that are given, by name, without defaults. */
  given(names: readonly string[]): Readonly<Record<string, unknown>> {
    return Object.fromEntries(names.filter((name) => name in this.#values).map((name) => [name, this.#values[name]]));
  }

  /** A number above 0. */
  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const number = Number(text);
    if (!(number > 0 && Number.isFinite(number)))
      throw new UsageError(`--${name} must be a number above 0, not "${text}".`);
    return number;
  }
}
