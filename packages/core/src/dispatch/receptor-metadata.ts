import type { MessageMetadata } from './message-metadata.js';
import type { ReceptorFacts } from './receptor.js';

/** Metadata that read the facts of the receptor, and create a map only when a fact is set: most messages set none. */
export class ReceptorMetadata implements MessageMetadata {
  readonly #receptor: ReceptorFacts;
  #facts: Map<string, unknown> | undefined;

  constructor(receptor: ReceptorFacts) {
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
