import type { ColumnTypeName, NamedType, ObjectType, PerspectiveModel, TypeModel } from '../model/index.js';
import type { GraphQLArgument, GraphQLRootField } from './schema-model.js';
import type { TypeBuilder } from './type-builder.js';

const idArgument: GraphQLArgument = { name: 'id', type: 'ID!', description: null, defaultValue: null };

const waitArguments: readonly GraphQLArgument[] = [
  {
    name: 'afterEvent',
    type: 'ID',
    description: 'Answers once this event is taken: the Svc-Last-Event of a command.',
    defaultValue: null,
  },
  { name: 'waitSeconds', type: 'Int', description: 'How long to wait for it: 30 at most.', defaultValue: '5' },
];

const pageArguments: readonly GraphQLArgument[] = [
  { name: 'page', type: 'Int', description: 'From 1 to 100; 1 when left out.', defaultValue: null },
  { name: 'pageSize', type: 'Int', description: 'How many at most: from 1 to 100.', defaultValue: '10' },
  {
    name: 'after',
    type: 'String',
    description: 'Where to go on, instead of a page: what an earlier page of the same list gave as next.',
    defaultValue: null,
  },
];

/** What models are found by beside their indexed properties. */
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
    const sorts = `One of ${names.join(', ')}; with - in front the other way round.`;
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
      description: 'What a model must fulfil: all of it.',
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
      description: 'What a value must fulfil: all of it.',
      isOneOf: false,
      fields: [
        ...comparisons.map((operator) => ({ name: operator, type: definitions.scalar(scalar), description: null })),
        { name: 'in', type: `[${scalar}!]`, description: 'One of these, 100 at most.' },
      ],
      source: nothing,
      typeId: null,
    }));
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
        { name: 'page', type: 'Int', description: 'Null behind after.' },
        { name: 'pageSize', type: 'Int!', description: null },
        { name: 'hasMore', type: 'Boolean!', description: 'Whether there is another page.' },
        { name: 'next', type: 'String', description: 'Where the next page begins, for after.' },
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
