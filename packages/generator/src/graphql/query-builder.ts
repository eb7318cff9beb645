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

const sizeArgument: GraphQLArgument = {
  name: 'pageSize',
  type: 'Int',
  description: 'Models per page, from 1 to 100.',
  defaultValue: '10',
};

const pageArguments: readonly GraphQLArgument[] = [
  { name: 'page', type: 'Int', description: 'The page, from 1 to 100. Default: 1.', defaultValue: null },
  sizeArgument,
  {
    name: 'after',
    type: 'String',
    description: 'Instead of page: next of the previous page of the same list.',
    defaultValue: null,
  },
];

const sinceArgument: GraphQLArgument = {
  name: 'since',
  type: 'String',
  description: 'After a reconnect: the last place that was received. Only what has changed since is sent.',
  defaultValue: null,
};

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

/** The fields of a perspective. */
export interface PerspectiveFields {
  readonly queries: readonly GraphQLRootField[];
  readonly subscriptions: readonly GraphQLRootField[];
}

/** Builds the queries of perspectives, and the subscriptions for the same models. */
export class QueryBuilder {
  readonly #find: (id: string) => NamedType;
  readonly #types: TypeBuilder;

  constructor(find: (id: string) => NamedType, types: TypeBuilder) {
    this.#find = find;
    this.#types = types;
  }

  /**
   * A query and a subscription for one model by its key, for a list of models, or for both. They are nullable: for a model that does not
   * exist, and on failure, so that the other queries of the operation still return data.
   */
  fieldsOf(perspective: PerspectiveModel): PerspectiveFields {
    const { name, model, graphQLQuery, graphQLListQuery, description } = perspective;
    const base = model.kind === 'ref' ? this.#find(model.id).name : `${name}Model`;
    const item = this.#types.typeOf(model, { direction: 'output', base, where: `the model of ${name}` });
    const queries: GraphQLRootField[] = [];
    const subscriptions: GraphQLRootField[] = [];
    if (graphQLQuery !== null) {
      const type = item.replace(/!$/, '');
      const one = { name: graphQLQuery, description, arguments: [idArgument, ...waitArguments], type };
      queries.push(one);
      subscriptions.push(one);
    }
    if (graphQLListQuery !== null) {
      const list = { name: graphQLListQuery, description };
      const which = this.#listArguments(perspective);
      queries.push({
        ...list,
        arguments: [...pageArguments, ...which, ...waitArguments],
        type: this.#page(`${base}Page`, item, perspective),
      });
      subscriptions.push({
        ...list,
        // A live list is the first page: other pages shift with every change in front of them.
        arguments: [sizeArgument, ...which, sinceArgument, ...waitArguments],
        type: this.#liveList(base, item, perspective),
      });
    }
    return { queries, subscriptions };
  }

  #listArguments({ name, columns }: PerspectiveModel): GraphQLArgument[] {
    const names = [keyColumn, ...columns].map((column) => column.name);
    const sorts = `One of ${names.join(', ')}; prefix it with - for descending order.`;
    return [
      { name: 'sort', type: 'String', description: sorts, defaultValue: '"key"' },
      { name: 'filter', type: this.#filter(name, columns), description: null, defaultValue: null },
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
      source: contentOf('items', { kind: 'array', items: model }),
      typeId: null,
    }));
  }

  /** What a subscriber of a list receives, first and after each change. */
  #liveList(base: string, item: string, perspective: PerspectiveModel): string {
    const { name, model } = perspective;
    const listName = `${base}LiveList`;
    const modelName = `${base}LiveModel`;
    const origin = (what: string): unknown => (model.kind === 'ref' ? `${what} ${model.id}` : model);
    return this.#types.definitions.add(listName, origin('live list'), `a live list of ${name}`, () => ({
      kind: 'type',
      name: listName,
      description: 'A list after a change. Without since, the first one has all models.',
      isOneOf: false,
      fields: [
        {
          name: 'place',
          type: 'String',
          description: 'The value of since after a reconnect. Null: the previous one remains valid.',
        },
        {
          name: 'keys',
          type: '[ID!]!',
          description: 'The keys of all models of the list, in their order. Every other model has left it.',
        },
        {
          name: 'changed',
          type: `[${this.#liveModel(modelName, origin('live model'), item, perspective)}!]!`,
          description: 'The models that are new or have changed.',
        },
      ],
      source: nothing,
      typeId: null,
    }));
  }

  #liveModel(modelName: string, origin: unknown, item: string, { name, model }: PerspectiveModel): string {
    return this.#types.definitions.add(modelName, origin, `a live model of ${name}`, () => ({
      kind: 'type',
      name: modelName,
      description: null,
      isOneOf: false,
      fields: [
        { name: 'key', type: 'ID!', description: null },
        { name: 'model', type: item, description: null },
      ],
      source: contentOf('model', model),
      typeId: null,
    }));
  }
}

/** The content of a type, as far as it affects how it is written. */
function contentOf(name: string, type: TypeModel): ObjectType {
  return { kind: 'object', properties: [{ name, type, presence: 'required', description: null }] };
}
