import type { NamedReceptor } from './receptor.js';

/** Facts that behaviors and receptors pass on to each other about one message, by name; `ReceptorName` and `ResponseType` are among them. */
export interface MessageMetadata {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

/** What its receptor says of a message, until somebody knows better: most messages are asked for little else, and keep nothing more. */
export class ReceptorMetadata implements MessageMetadata {
  readonly #receptor: NamedReceptor;
  #facts: Map<string, unknown> | undefined;

  constructor(receptor: NamedReceptor) {
    this.#receptor = receptor;
  }

  get(name: string): unknown {
    if (this.#facts?.has(name) === true) return this.#facts.get(name);
    if (name === 'ReceptorName') return this.#receptor.name;
    return name === 'ResponseType' ? this.#receptor.resultType : undefined;
  }

  set(name: string, value: unknown): void {
    (this.#facts ??= new Map()).set(name, value);
  }
}
