import type { NamedType, ObjectType, PerspectiveModel, TypeModel } from '../model/index.js';
import type { GraphQLArgument, GraphQLRootField } from './schema-model.js';
import type { TypeBuilder } from './type-builder.js';

const idArgument: GraphQLArgument = { name: 'id', type: 'ID!', description: null, defaultValue: null };

/** As over REST. */
const pageArguments: readonly GraphQLArgument[] = [
  { name: 'page', type: 'Int', description: 'From 1 to 1000000.', defaultValue: '1' },
  { name: 'pageSize', type: 'Int', description: 'How many at most: from 1 to 100.', defaultValue: '10' },
];

/** Makes the queries of perspectives. */
export class QueryBuilder {
  readonly #find: (id: string) => NamedType;
  readonly #types: TypeBuilder;

  constructor(find: (id: string) => NamedType, types: TypeBuilder) {
    this.#find = find;
    this.#types = types;
  }

  /**
   * What a perspective is asked for: one model by its key, a page of them, or both. The answers may be null: the one for what is not
   * there, and either when it fails, so that other queries of the operation are answered nevertheless.
   */
  fieldsOf(perspective: PerspectiveModel): GraphQLRootField[] {
    const { name, model, graphQLQuery, graphQLListQuery, description } = perspective;
    const base = model.kind === 'ref' ? this.#find(model.id).name : `${name}Model`;
    const item = this.#types.typeOf(model, { direction: 'output', base, where: `the model of ${name}` });
    const fields: GraphQLRootField[] = [];
    if (graphQLQuery !== null) {
      fields.push({ name: graphQLQuery, description, arguments: [idArgument], type: item.replace(/!$/, '') });
    }
    if (graphQLListQuery !== null) {
      const type = this.#page(`${base}Page`, item, perspective);
      fields.push({ name: graphQLListQuery, description, arguments: pageArguments, type });
    }
    return fields;
  }

  #page(pageName: string, item: string, { name, model }: PerspectiveModel): string {
    // Perspectives of one model have one page.
    const origin = model.kind === 'ref' ? `page ${model.id}` : model;
    return this.#types.definitions.add(pageName, origin, `a page of ${name}`, () => ({
      kind: 'type',
      name: pageName,
      description: null,
      isOneOf: false,
      fields: [
        { name: 'items', type: `[${item}]!`, description: null },
        { name: 'page', type: 'Int!', description: null },
        { name: 'pageSize', type: 'Int!', description: null },
        { name: 'hasMore', type: 'Boolean!', description: 'Whether there is another page.' },
      ],
      source: pageSource(model),
      typeId: null,
    }));
  }
}

/** What a page is made of, as far as it matters how it is written. */
function pageSource(model: TypeModel): ObjectType {
  const items: TypeModel = { kind: 'array', items: model };
  return { kind: 'object', properties: [{ name: 'items', type: items, presence: 'required', description: null }] };
}
