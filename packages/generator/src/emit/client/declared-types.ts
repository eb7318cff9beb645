import type { NamedType, TypeModel } from '../../model/index.js';
import type { Direction } from '../schema-types.js';
import type { TypeIndex } from '../type-index.js';
import type { ClientNames } from './client-names.js';
import { ClientTypes } from './client-types.js';

/** The types that callers send, and those that they receive. */
interface Exchanged {
  readonly sent: readonly TypeModel[];
  readonly returned: readonly TypeModel[];
}

/** The named types that a module declares: all that callers send or receive. */
export class DeclaredTypes {
  readonly request: ClientTypes;
  readonly response: ClientTypes;
  readonly #all: readonly NamedType[];
  readonly #index: TypeIndex;
  readonly #sent: ReadonlySet<string>;
  readonly #returned: ReadonlySet<string>;

  constructor(names: ClientNames, index: TypeIndex, all: readonly NamedType[], { sent, returned }: Exchanged) {
    this.#all = all;
    this.#index = index;
    this.#sent = index.reachable(sent);
    this.#returned = index.reachable(returned);
    names.addTypes(
      all.filter(({ id }) => this.#sent.has(id) || this.#returned.has(id)),
      (id) => this.#directionsOf(id).length > 1,
    );
    this.request = new ClientTypes(names, 'request');
    this.response = new ClientTypes(names, 'response');
  }

  declarations(): string[] {
    return this.#all.flatMap((type) =>
      this.#directionsOf(type.id).map((direction) => this[direction].declaration(type)),
    );
  }

  /** Both, if requests may omit what responses always have. */
  #directionsOf(id: string): readonly Direction[] {
    if (!this.#returned.has(id)) return this.#sent.has(id) ? ['request'] : [];
    return this.#sent.has(id) && this.#index.hasDefaults({ kind: 'ref', id }) ? ['response', 'request'] : ['response'];
  }
}
