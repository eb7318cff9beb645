import { printSchema, type GraphQLDefinition, type GraphQLSchemaModel } from '../graphql/index.js';
import type { ServiceModel, TypeModel } from '../model/index.js';
import { graphQLLibrary, type GraphQLSchema } from './graphql-js.js';

/** The kinds of literals that custom scalars accept in documents. The service checks the rest. */
const literalKinds: Readonly<Record<string, readonly string[]>> = {
  DateTime: ['StringValue'],
  Decimal: ['StringValue', 'IntValue', 'FloatValue'],
  Duration: ['StringValue'],
  SafeInt: ['IntValue'],
  UUID: ['StringValue'],
};

/** The schema of a service, and the types of the service that its fields come from. */
export class DocumentSchema {
  readonly schema: GraphQLSchema;
  readonly #definitions: ReadonlyMap<string, GraphQLDefinition>;
  readonly #roots: ReadonlyMap<string, TypeModel>;
  readonly #types: ReadonlyMap<string, TypeModel>;

  constructor(service: ServiceModel, model: GraphQLSchemaModel) {
    this.schema = graphQLLibrary().buildSchema(printSchema(model), { noLocation: true });
    this.#definitions = new Map(model.definitions.map((definition) => [definition.name, definition]));
    this.#roots = rootTypes(service);
    this.#types = new Map(service.types.map(({ id, type }) => [id, type]));
    for (const [name, kinds] of Object.entries(literalKinds)) restrictLiterals(this.schema, name, kinds);
  }

  /** The type of a field in the service, which says more than GraphQL; null if the service does not declare it. */
  sourceOf(parent: string, field: string): TypeModel | null {
    const root = this.#roots.get(`${parent}.${field}`);
    if (root !== undefined) return root;
    const definition = this.#definitions.get(parent);
    if (definition === undefined || definition.kind === 'enum' || definition.source.kind !== 'object') return null;
    return definition.source.properties.find(({ name }) => name === field)?.type ?? null;
  }

  /** A type without null and without the aliases around it that matter for nothing else. */
  resolved(type: TypeModel | null): TypeModel | null {
    if (type === null) return null;
    if (type.kind === 'nullable') return this.resolved(type.type);
    if (type.kind !== 'ref') return type;
    const target = this.#types.get(type.id)!;
    return ['nullable', 'array', 'set'].includes(target.kind) ? this.resolved(target) : type;
  }
}

function rootTypes({ perspectives, endpoints }: ServiceModel): ReadonlyMap<string, TypeModel> {
  const roots = new Map<string, TypeModel>();
  for (const { graphQLQuery, model } of perspectives)
    if (graphQLQuery !== null) roots.set(`Query.${graphQLQuery}`, model).set(`Subscription.${graphQLQuery}`, model);
  for (const { graphQLMutation, result } of endpoints)
    if (graphQLMutation !== null) roots.set(`Mutation.${graphQLMutation}`, result);
  return roots;
}

function restrictLiterals(schema: GraphQLSchema, name: string, kinds: readonly string[]): void {
  const type = schema.getType(name);
  if (!graphQLLibrary().isScalarType(type)) return;
  type.parseLiteral = (node) => (kinds.includes(node.kind) && 'value' in node ? node.value : undefined);
}
