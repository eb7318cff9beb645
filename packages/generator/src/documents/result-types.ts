import type { PropertyModel, TypeModel } from '../model/index.js';
import {
  graphQLLibrary,
  isField,
  isInline,
  isSpread,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLUnionType,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from './graphql-js.js';
import { orNull, scalarType, type NamedTypes } from './named-types.js';
import type { DocumentSchema } from './schema.js';

/** Schemas of svc have no interfaces. */
type Composite = GraphQLObjectType | GraphQLUnionType;

/** Fields that a document selects. */
interface Selected {
  readonly set: SelectionSetNode;
  /** Whether it depends on `@include` or `@skip`. */
  readonly isConditional: boolean;
}

interface SelectedField {
  readonly nodes: readonly FieldNode[];
  readonly selected: readonly Selected[];
  readonly isConditional: boolean;
}

/** The types of results: those of the service, restricted to the selected fields. */
export class ResultTypes {
  readonly #schema: DocumentSchema;
  readonly #types: NamedTypes;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #ofFragments = new Map<string, TypeModel>();

  constructor(schema: DocumentSchema, types: NamedTypes, fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#schema = schema;
    this.#types = types;
    this.#fragments = fragments;
  }

  operation({ name, operation, selectionSet }: OperationDefinitionNode): TypeModel {
    const root = this.#schema.schema.getRootType(operation)!;
    return this.#object(root, [{ set: selectionSet, isConditional: false }], name!.value, 'Result');
  }

  /** The type of a fragment, which is called `OrderRowFragment`. */
  fragment(name: string): TypeModel {
    const known = this.#ofFragments.get(name);
    if (known !== undefined) return known;
    const { typeCondition, selectionSet } = this.#fragments.get(name)!;
    const type = this.#schema.schema.getType(typeCondition.name.value) as Composite;
    const base = name.replace(/(.)Fragment$/, '$1');
    const found = this.#composite(type, [{ set: selectionSet, isConditional: false }], base, 'Fragment');
    this.#ofFragments.set(name, found);
    return found;
  }

  /** The name of a type is the path of its field: `OrderListOrdersItems`. The outermost one has a suffix. */
  #composite(type: Composite, selected: readonly Selected[], base: string, suffix = ''): TypeModel {
    if (!graphQLLibrary().isUnionType(type)) return this.#object(type, selected, base, suffix);
    const { schema } = this.#schema;
    return this.#types.addLater(base + suffix, type.description ?? null, () => ({
      kind: 'tagged',
      tag: '__typename',
      arms: schema.getPossibleTypes(type).map((member) => ({
        value: member.name,
        type: this.#object(member, selected, base + member.name),
      })),
    }));
  }

  #object(type: GraphQLObjectType, selected: readonly Selected[], base: string, suffix = ''): TypeModel {
    return this.#types.addLater(base + suffix, type.description ?? null, () => {
      const fields = this.#collect(type, selected);
      return {
        kind: 'object',
        properties: [...fields].map(([name, field]): PropertyModel => {
          const [{ name: fieldName }] = field.nodes as readonly [FieldNode];
          return {
            name,
            type: this.#field(type, fieldName.value, field, base + name.charAt(0).toUpperCase() + name.slice(1)),
            presence: field.isConditional ? 'optional' : 'required',
            description: type.getFields()[fieldName.value]?.description ?? null,
          };
        }),
      };
    });
  }

  /** The selected fields by their name in the result. */
  #collect(type: GraphQLObjectType, selected: readonly Selected[]): ReadonlyMap<string, SelectedField> {
    const found = new Map<string, { node: FieldNode; isConditional: boolean }[]>();
    const add = ({ set, isConditional }: Selected): void => {
      for (const selection of set.selections) {
        const depends = isConditional || isDependent(selection);
        if (isField(selection)) {
          const key = (selection.alias ?? selection.name).value;
          found.set(key, [...(found.get(key) ?? []), { node: selection, isConditional: depends }]);
        } else {
          const part = isInline(selection) ? selection : this.#fragments.get(selection.name.value)!;
          const condition = part.typeCondition?.name.value;
          if (this.#applies(condition, type)) add({ set: part.selectionSet, isConditional: depends });
        }
      }
    };
    for (const one of selected) add(one);
    return new Map([...found].map(([key, nodes]) => [key, merged(nodes)]));
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const { schema } = this.#schema;
    const wider = schema.getType(condition);
    return graphQLLibrary().isAbstractType(wider) && schema.isSubType(wider, type);
  }

  #field(parent: GraphQLObjectType, name: string, { selected }: SelectedField, base: string): TypeModel {
    if (name === '__typename') return { kind: 'literal', values: [parent.name] };
    const { type } = parent.getFields()[name]!;
    return this.#output(type, this.#schema.sourceOf(parent.name, name), selected, base);
  }

  #output(type: GraphQLOutputType, source: TypeModel | null, selected: readonly Selected[], base: string): TypeModel {
    if (graphQLLibrary().isNonNullType(type)) return this.#present(type.ofType, source, selected, base);
    return orNull(this.#present(type, source, selected, base));
  }

  /** @param source the type in the service, if it is known */
  #present(
    present: GraphQLOutputType,
    source: TypeModel | null,
    selected: readonly Selected[],
    base: string,
  ): TypeModel {
    const { isEnumType, isListType, isScalarType } = graphQLLibrary();
    const known = this.#schema.resolved(source);
    if (isListType(present)) {
      const list = known?.kind === 'array' || known?.kind === 'set' ? known : null;
      return { kind: list?.kind ?? 'array', items: this.#output(present.ofType, list?.items ?? null, selected, base) };
    }
    if (isEnumType(present)) return known ?? { kind: 'literal', values: present.getValues().map(({ name }) => name) };
    if (isScalarType(present)) return known ?? scalarType(present.name);
    const composite = present as Composite;
    const spread = this.#onlyFragment(composite.name, selected);
    return spread === null ? this.#composite(composite, selected, base) : this.fragment(spread);
  }

  /** The fragment that is all that is selected of a type, so that their types are the same; otherwise null. */
  #onlyFragment(type: string, selected: readonly Selected[]): string | null {
    const [only, more] = selected;
    if (only === undefined || more !== undefined) return null;
    const isUnion = graphQLLibrary().isUnionType(this.#schema.schema.getType(type));
    // In unions, both have the name of the type.
    const [first, second] = only.set.selections.filter((selection) => !(isUnion && isField(selection)));
    if (first === undefined || !isSpread(first) || second !== undefined || isDependent(first)) return null;
    return this.#fragments.get(first.name.value)!.typeCondition.name.value === type ? first.name.value : null;
  }
}

function isDependent({ directives = [] }: SelectionNode): boolean {
  return directives.some(({ name }) => name.value === 'include' || name.value === 'skip');
}

/** A field that is selected several times. What only some of its selections have can be absent. */
function merged(nodes: readonly { readonly node: FieldNode; readonly isConditional: boolean }[]): SelectedField {
  return {
    nodes: nodes.map(({ node }) => node),
    selected: nodes.flatMap(({ node: { selectionSet }, isConditional }) =>
      selectionSet === undefined ? [] : [{ set: selectionSet, isConditional: isConditional && nodes.length > 1 }],
    ),
    isConditional: nodes.every(({ isConditional }) => isConditional),
  };
}
