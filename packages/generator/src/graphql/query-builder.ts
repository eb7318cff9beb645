import type { ColumnTypeName, NamedType, ObjectType, PerspectiveModel, TypeModel } from '../model/index.js';
import type { GraphQLArgument, GraphQLRootField } from './schema-model.js';
import type { TypeBuilder } from './type-builder.js';

const idArgument: GraphQLArgument = { name: 'id', type: 'ID!', description: null, defaultValue: null };

const waitArguments: readonly GraphQLArgument[] = [
  {
    name: 'afterEvent',
    type: 'ID',
    description: 'Wait until this event is processed: the Svc-Last-Event of a command.',
    defaultValue: null,
  },
  { name: 'waitSeconds', type: 'Int', description: 'How long to wait for afterEvent, at most 30.', defaultValue: '5' },
];

const pageArguments: readonly GraphQLArgument[] = [
  { name: 'page', type: 'Int', description: 'The page, from 1 to 100. Default: 1.', defaultValue: null },
  { name: 'pageSize', type: 'Int', description: 'Models per page, from 1 to 100.', defaultValue: '10' },
  {
    name: 'after',
    type: 'String',
    description: 'Instead of page: next of the previous page of the same list.',
    defaultValue: null,
  },
];

/** Filters and sort orders other than indexed properties. */
const keyColumn = { name: 'key', type: 'text' } as const;

const scalarsOfColumns: Readonly<Record<ColumnTypeName, string>> = {
  text: 'String',
  integer: 'SafeInt',
  number: 'Float',
  decimal: 'Decimal',
  boolean: 'Boolean',
  timestamp: 'DateTime',
};

const comparisons = ['eq', 'gt', 'gte', 'lt', 'lte'] as const;
const nothing: ObjectType = { kind: 'object', properties: [] };

/** Builds the queries of perspectives. */
export class QueryBuilder {
  readonly #find: (id: string) => NamedType;
  readonly #types: TypeBuilder;

  constructor(find: (id: string) => NamedType, types: TypeBuilder) {
    this.#find = find;
    this.#types = types;
  }

  /**
   * The queries of a perspective: one model by its key, a page of models, or both. They are nullable: for a model that does not exist, and
   * on failure, so that the other queries of the operation still return data.
   */
  fieldsOf(perspective: PerspectiveModel): GraphQLRootField[] {
    const { name, model, graphQLQuery, graphQLListQuery, description } = perspective;
    const base = model.kind === 'ref' ? this.#find(model.id).name : `${name}Model`;
    const item = this.#types.typeOf(model, { direction: 'output', base, where: `the model of ${name}` });
    const fields: GraphQLRootField[] = [];
    if (graphQLQuery !== null) {
      fields.push({
        name: graphQLQuery,
        description,
        arguments: [idArgument, ...waitArguments],
        type: item.replace(/!$/, ''),
      });
    }
    if (graphQLListQuery !== null) {
      const type = this.#page(`${base}Page`, item, perspective);
      fields.push({ name: graphQLListQuery, description, arguments: this.#listArguments(perspective), type });
    }
    return fields;
  }

  #listArguments({ name, columns }: PerspectiveModel): GraphQLArgument[] {
    const names = [keyColumn, ...columns].map((column) => column.name);
    const sorts = `One of ${names.join(', ')}; prefix it with - for descending order.`;
    return [
      ...pageArguments,
      { name: 'sort', type: 'String', description: sorts, defaultValue: '"key"' },
      { name: 'filter', type: this.#filter(name, columns), description: null, defaultValue: null },
      ...waitArguments,
    ];
  }

  #filter(perspective: string, columns: PerspectiveModel['columns']): string {
    const name = `${perspective.replace(/(.)Perspective$/, '$1')}Filter`;
    return this.#types.definitions.add(name, `filter of ${perspective}`, `the filter of ${perspective}`, () => ({
      kind: 'input',
      name,
      description: 'Conditions that a model must all meet.',
      isOneOf: false,
      fields: [keyColumn, ...columns].map((column) => ({
        name: column.name,
        type: this.#condition(scalarsOfColumns[column.type]),
        description: null,
      })),
      source: nothing,
      typeId: null,
    }));
  }

  #condition(scalar: string): string {
    const { definitions } = this.#types;
    const name = `${scalar}Condition`;
    return definitions.add(name, `condition on ${scalar}`, `a condition on ${scalar}`, () => ({
      kind: 'input',
      name,
      description: 'Conditions that a value must all meet.',
      isOneOf: false,
      fields: [
        ...comparisons.map((operator) => ({ name: operator, type: definitions.scalar(scalar), description: null })),
        { name: 'in', type: `[${scalar}!]`, description: 'One of these, at most 100.' },
      ],
      source: nothing,
      typeId: null,
    }));
  }

  #page(pageName: string, item: string, { name, model }: PerspectiveModel): string {
    // Perspectives with the same model share one page type.
    const origin = model.kind === 'ref' ? `page ${model.id}` : model;
    return this.#types.definitions.add(pageName, origin, `a page of ${name}`, () => ({
      kind: 'type',
      name: pageName,
      description: null,
      isOneOf: false,
      fields: [
        { name: 'items', type: `[${item}]!`, description: null },
        { name: 'page', type: 'Int', description: 'Null with after.' },
        { name: 'pageSize', type: 'Int!', description: null },
        { name: 'hasMore', type: 'Boolean!', description: 'Whether there is another page.' },
        { name: 'next', type: 'String', description: 'The value of after for the next page.' },
      ],
      source: pageSource(model),
      typeId: null,
    }));
  }
}

/** The content of a page, as far as it affects how it is written. */
function pageSource(model: TypeModel): ObjectType {
  const items: TypeModel = { kind: 'array', items: model };
  return { kind: 'object', properties: [{ name: 'items', type: items, presence: 'required', description: null }] };
}
