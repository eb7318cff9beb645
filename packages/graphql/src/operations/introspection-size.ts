/**
 * Computes the size of an introspection result without executing it. Nested lists multiply (types × fields × arguments × …), so a short
 * document can request megabytes. Each part of a document is measured once per type, field or argument that it applies to.
 */
import {
  getIntrospectionQuery,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { requestError } from '../errors/index.js';

/** How many times larger than the result for the whole schema, as tools request it, the result of an introspection may be. */
export const timesWholeSchema = 2;

/** Rejects introspections whose result would exceed that limit. */
export class IntrospectionLimit {
  readonly #schema: GraphQLSchema;
  #most: number | undefined;

  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
  }

  /** Throws a `RequestError` for a valid document with one operation that requests too much of the schema. */
  check(document: DocumentNode): void {
    this.#most ??= timesWholeSchema * introspectionSize(this.#schema, wholeSchema);
    const size = introspectionSize(this.#schema, document);
    if (size <= this.#most) return;
    const message = `The introspection result would have about ${size} characters; at most ${this.#most} are allowed.`;
    throw requestError(400, 'LIMIT_EXCEEDED', message);
  }
}

/** The introspection query of graphql-js, GraphiQL and code generators, with all options. */
const wholeSchema = parse(
  getIntrospectionQuery({
    descriptions: true,
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    oneOf: true,
  }),
);

/** Estimates the characters of the introspection fields in the result of a valid document. Never too low. */
export function introspectionSize(schema: GraphQLSchema, document: DocumentNode): number {
  return new AnswerSize(schema, document).total();
}

type Sizes = Map<unknown, number>;

/** Counts the characters of a result. Skipped and merged fields count as well, so it is never too low. */
class AnswerSize {
  readonly #schema: GraphQLSchema;
  readonly #document: DocumentNode;
  readonly #allTypes: readonly GraphQLNamedType[];
  readonly #fragments = new Map<string, FragmentDefinitionNode>();
  readonly #known = new Map<SelectionSetNode, Sizes>();

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    this.#document = document;
    this.#allTypes = Object.values(schema.getTypeMap());
    for (const node of document.definitions) {
      if (node.kind === Kind.FRAGMENT_DEFINITION) this.#fragments.set(node.name.value, node);
    }
  }

  total(): number {
    const operation = this.#document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
    return operation === undefined ? 0 : this.#sumOf(operation.selectionSet, (field) => this.#ofRoot(field));
  }

  /** Other fields are not introspection and do not count. */
  #ofRoot(field: FieldNode): number {
    if (field.name.value === SchemaMetaFieldDef.name) return this.#ofField(field, SchemaMetaFieldDef, null);
    if (field.name.value !== TypeMetaFieldDef.name) return 0;
    const name = field.arguments?.[0]?.value;
    // A name in a variable can be that of any type.
    const types = name?.kind === Kind.STRING ? [this.#schema.getType(name.value)] : this.#allTypes;
    return keySize(field) + Math.max(...types.map((type) => this.#ofValue(field, TypeMetaFieldDef.type, type)));
  }

  #ofField(node: FieldNode, field: GraphQLField<unknown, unknown> | undefined, source: unknown): number {
    if (field === undefined) return keySize(node) + longestTypeName;
    const info = { schema: this.#schema } as GraphQLResolveInfo;
    const value: unknown = field.resolve?.(source, { includeDeprecated: true }, undefined, info);
    return keySize(node) + this.#ofValue(node, field.type, value);
  }

  #ofValue(node: FieldNode, type: GraphQLOutputType, value: unknown): number {
    if (isNonNullType(type)) return this.#ofValue(node, type.ofType as GraphQLOutputType, value);
    if (value === null || value === undefined) return 'null'.length;
    if (isListType(type)) {
      let size = punctuation;
      for (const item of value as Iterable<unknown>) size += this.#ofValue(node, type.ofType, item);
      return size;
    }
    if (isObjectType(type)) return node.selectionSet === undefined ? 0 : this.#ofObject(node.selectionSet, type, value);
    return JSON.stringify(value).length + punctuation;
  }

  #ofObject(set: SelectionSetNode, type: GraphQLObjectType, source: unknown): number {
    let sizes = this.#known.get(set);
    if (sizes === undefined) this.#known.set(set, (sizes = new Map<unknown, number>()));
    let size = sizes.get(source);
    if (size === undefined) {
      const fields = type.getFields();
      size = punctuation + this.#sumOf(set, (field) => this.#ofField(field, fields[field.name.value], source));
      sizes.set(source, size);
    }
    return size;
  }

  #sumOf(set: SelectionSetNode, sizeOf: (field: FieldNode) => number): number {
    let size = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) size += sizeOf(node);
      else if (node.kind === Kind.INLINE_FRAGMENT) size += this.#sumOf(node.selectionSet, sizeOf);
      else size += this.#sumOf(this.#fragments.get(node.name.value)!.selectionSet, sizeOf);
    }
    return size;
  }
}

function keySize({ alias, name }: FieldNode): number {
  return (alias ?? name).value.length + punctuation;
}

/** Quotes, colon and comma, or brackets and comma. */
const punctuation = 4;
/** The longest `__typename` of an introspection type. */
const longestTypeName = '"__DirectiveLocation"'.length;
