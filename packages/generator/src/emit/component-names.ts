import type { NamedType } from '../model/index.js';
import type { SchemaForm } from './schema-types.js';
import type { TypeIndex } from './type-index.js';

/** Where the types of components occur. */
export interface TypeUses {
  /** In requests. */
  readonly sent: ReadonlySet<string>;
  /** In responses, models and states. */
  readonly returned: ReadonlySet<string>;
  /** In messages between hosts. */
  readonly published: ReadonlySet<string>;
}

/** The name of the component of a type, in requests, in responses and in messages. */
export class DirectedNames {
  readonly #names: ReadonlyMap<string, string>;
  /** The types that requests and responses contain in different forms, and that have a component for each. */
  readonly #twofold: ReadonlyMap<string, string>;
  /** The types that have a component of their own for messages. They get names last: an event changes no name of the API. */
  readonly #ofMessages: ReadonlyMap<string, string>;
  readonly #uses: TypeUses;

  constructor(named: readonly NamedType[], uses: TypeUses, types: Pick<TypeIndex, 'hasDecimals' | 'hasPersonal'>) {
    const { sent, returned, published } = uses;
    const isServed = ({ id }: NamedType): boolean => sent.has(id) || returned.has(id);
    this.#names = componentNames(named.filter(isServed));
    this.#uses = uses;
    const taken = new Set(this.#names.values());
    const twofold = named.filter(
      ({ id }) => sent.has(id) && returned.has(id) && types.hasDecimals({ kind: 'ref', id }),
    );
    this.#twofold = new Map(twofold.map(({ id }) => [id, unused(`${this.#names.get(id)!}Input`, taken)]));
    // A message has encrypted personal data, and decimals as in responses.
    const differs = ({ id }: NamedType): boolean =>
      types.hasPersonal({ kind: 'ref', id }) || (!returned.has(id) && types.hasDecimals({ kind: 'ref', id }));
    const messages = named.filter((type) => published.has(type.id) && (!isServed(type) || differs(type)));
    const preferred = componentNames(messages);
    this.#ofMessages = new Map(
      messages.map((type) => {
        const name = preferred.get(type.id)!;
        return [type.id, unused(taken.has(name) ? `${name}Message` : name, taken)];
      }),
    );
  }

  get(id: string, form: SchemaForm): string | undefined {
    if (form === 'message') return this.#ofMessages.get(id) ?? this.#names.get(id);
    return (form === 'request' ? this.#twofold.get(id) : undefined) ?? this.#names.get(id);
  }

  /** The forms in which a type has a component of its own. */
  formsOf(id: string): readonly SchemaForm[] {
    const messages: readonly SchemaForm[] = this.#ofMessages.has(id) ? ['message'] : [];
    if (this.#twofold.has(id)) return ['response', 'request', ...messages];
    if (this.#uses.sent.has(id)) return ['request', ...messages];
    return this.#uses.returned.has(id) ? ['response', ...messages] : messages;
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
