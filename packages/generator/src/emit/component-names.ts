import type { NamedType } from '../model/index.js';
import type { Direction } from './schema-types.js';
import type { TypeIndex } from './type-index.js';

/** The name of the component of a type, in requests and in responses. */
export class DirectedNames {
  readonly #names: ReadonlyMap<string, string>;
  /** The types that requests and responses contain in different forms, and that have a component for each. */
  readonly #twofold: ReadonlyMap<string, string>;
  readonly #sent: ReadonlySet<string>;

  /** @param sent types in requests @param returned types in responses */
  constructor(
    named: readonly NamedType[],
    sent: ReadonlySet<string>,
    returned: ReadonlySet<string>,
    types: Pick<TypeIndex, 'hasDecimals'>,
  ) {
    this.#names = componentNames(named);
    this.#sent = sent;
    const taken = new Set(this.#names.values());
    const twofold = named.filter(
      ({ id }) => sent.has(id) && returned.has(id) && types.hasDecimals({ kind: 'ref', id }),
    );
    this.#twofold = new Map(twofold.map(({ id }) => [id, unused(`${this.#names.get(id)!}Input`, taken)]));
  }

  get(id: string, direction: Direction): string | undefined {
    return (direction === 'request' ? this.#twofold.get(id) : undefined) ?? this.#names.get(id);
  }

  /** The directions in which a type has a component of its own. */
  directionsOf(id: string): readonly Direction[] {
    if (this.#twofold.has(id)) return ['response', 'request'];
    return [this.#sent.has(id) ? 'request' : 'response'];
  }
}

function unused(name: string, taken: Set<string>): string {
  let found = name;
  while (taken.has(found)) found += '_';
  taken.add(found);
  return found;
}

/** The type's own name. Equal names of several modules are qualified by their modules. */
function componentNames(named: readonly NamedType[]): Map<string, string> {
  const count = new Map<string, number>();
  for (const { name } of named) count.set(name, (count.get(name) ?? 0) + 1);
  return new Map(
    named.map(({ id, name, module }) => [
      id,
      count.get(name) === 1 ? name : `${(module ?? 'packages').replace(/[^A-Za-z0-9]+/g, '.')}.${name}`,
    ]),
  );
}
