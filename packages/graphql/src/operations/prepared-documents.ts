import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  parse,
  separateOperations,
  specifiedRules,
  validate,
  visit,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { documentError, requestError } from '../errors/index.js';
import type { GraphQLLimits, GraphQLSettings } from '../options.js';
import { DocumentCache } from './document-cache.js';
import type { Executable } from './executable.js';
import { IntrospectionLimit } from './introspection-size.js';
import { checkLimits } from './limits.js';
import type { Variables } from './literal-values.js';
import { openArguments } from './open-arguments.js';
import { prepareSubscription, rejectConditions, type PreparedSubscription } from './subscriptions.js';

/** One operation, ready to be executed any number of times. */
export interface PreparedOperation extends Executable {
  readonly variablesOf: (given: Variables) => Variables;
  readonly isMutation: boolean;
  /** The maximum number of mutations it executes: its top-level fields, including those in fragments. */
  readonly mutations: number;
  /** Null: it is a query or a mutation. */
  readonly subscription: PreparedSubscription | null;
}

/** The rules for the documents of a group of callers. */
export interface DocumentRules {
  readonly limits: GraphQLLimits;
  /** How many prepared documents are cached, up to twice as many. */
  readonly size: number;
  readonly usesBeforeCompilation: number;
}

/** Parses, limits and validates documents, and caches those in use. */
export class PreparedDocuments {
  readonly #schema: GraphQLSchema;
  readonly #settings: GraphQLSettings;
  readonly #rules: DocumentRules;
  readonly #introspection: IntrospectionLimit;
  readonly #known: DocumentCache<ReadonlyMap<string, PreparedOperation>>;

  constructor(published: GraphQLSchema, settings: GraphQLSettings, rules: DocumentRules) {
    this.#schema = published;
    this.#settings = settings;
    this.#rules = rules;
    this.#introspection = new IntrospectionLimit(published);
    this.#known = new DocumentCache(rules.size);
  }

  /** Throws a `RequestError` if the text is not a valid document of this schema, or does not contain the operation. */
  operation(text: string, name: string | null): PreparedOperation {
    let operations = this.#known.get(text);
    if (operations === undefined) {
      operations = this.#prepare(text);
      this.#known.add(text, operations);
    }
    const found = name === null ? onlyOf(operations) : operations.get(name);
    if (found !== undefined) return found;
    const message =
      name === null
        ? 'The document has several operations; operationName must name one of them.'
        : `The document has no operation called "${name}".`;
    throw requestError(400, 'GRAPHQL_VALIDATION_FAILED', message);
  }

  #prepare(text: string): ReadonlyMap<string, PreparedOperation> {
    const document = this.#parse(text);
    checkLimits(document, this.#rules.limits);
    rejectConditions(document);
    const rules = this.#settings.introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
    const errors = validate(this.#schema, document, rules, { maxErrors: 20 });
    if (errors.length > 0) throw documentError('GRAPHQL_VALIDATION_FAILED', errors);
    requireRootTypes(document, this.#schema);
    const operations = Object.entries(separateOperations(document));
    if (operations.length === 0) throw requestError(400, 'GRAPHQL_VALIDATION_FAILED', 'The document has no operation.');
    return new Map(operations.map(([name, separate]) => [name, this.#operation(separate)]));
  }

  #parse(text: string): DocumentNode {
    const { characters, tokens } = this.#rules.limits;
    if (text.length > characters) {
      const message = `The document has ${text.length} characters; at most ${characters} are allowed.`;
      throw requestError(400, 'LIMIT_EXCEEDED', message);
    }
    try {
      return parse(text, { maxTokens: tokens });
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      if (error.message.includes('Parsing aborted')) {
        throw requestError(
          400,
          'LIMIT_EXCEEDED',
          `The document has more than ${tokens} tokens; at most ${tokens} are allowed.`,
        );
      }
      throw documentError('GRAPHQL_PARSE_FAILED', [error]);
    }
  }

  #operation(separate: DocumentNode): PreparedOperation {
    const { document, variablesOf } = openArguments(withoutLocations(separate), this.#schema, this.#settings.bodyLimit);
    const isIntrospection = asksForSchema(document);
    if (isIntrospection) this.#introspection.check(document);
    const { usesBeforeCompilation } = this.#rules;
    return {
      document,
      variablesOf,
      isIntrospection,
      isSchemaOnly: isIntrospection && hasMetaFieldsOnly(document),
      isMutation: isOperation(document, OperationTypeNode.MUTATION),
      mutations: mutationsIn(document),
      subscription: isOperation(document, OperationTypeNode.SUBSCRIPTION)
        ? prepareSubscription(document, this.#schema, usesBeforeCompilation)
        : null,
      usesBeforeCompilation,
    };
  }
}

/** Validation accepts an operation for which the schema has no root type. */
function requireRootTypes({ definitions }: DocumentNode, schema: GraphQLSchema): void {
  for (const node of definitions) {
    if (node.kind === Kind.OPERATION_DEFINITION && !schema.getRootType(node.operation)) {
      throw requestError(400, 'GRAPHQL_VALIDATION_FAILED', `The schema has no ${node.operation}.`);
    }
  }
}

function onlyOf(operations: ReadonlyMap<string, PreparedOperation>): PreparedOperation | undefined {
  return operations.size === 1 ? operations.values().next().value : undefined;
}

/** Locations link all tokens, so every copy of the document would copy them as well. */
function withoutLocations(document: DocumentNode): DocumentNode {
  return visit(document, {
    enter({ loc: _loc, ...node }) {
      return node;
    },
  });
}

function isOperation({ definitions }: DocumentNode, type: OperationTypeNode): boolean {
  return definitions.some((node) => node.kind === Kind.OPERATION_DEFINITION && node.operation === type);
}

function mutationsIn(document: DocumentNode): number {
  const { definitions } = document;
  const operation = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined || !isOperation(document, OperationTypeNode.MUTATION)) return 0;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of definitions) if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  // A field that occurs several times under one name counts several times; clients do not write that.
  const count = (set: SelectionSetNode): number => {
    let fields = 0;
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD) fields += node.name.value.startsWith('__') ? 0 : 1;
      else if (node.kind === Kind.INLINE_FRAGMENT) fields += count(node.selectionSet);
      else fields += count(fragments.get(node.name.value)!.selectionSet);
    }
    return fields;
  };
  return count(operation.selectionSet);
}

/** A fragment counts as another field: its result is computed each time. */
function hasMetaFieldsOnly({ definitions }: DocumentNode): boolean {
  const operation = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (operation === undefined || (operation.variableDefinitions?.length ?? 0) > 0) return false;
  return operation.selectionSet.selections.every(
    (node) => node.kind === Kind.FIELD && node.name.value.startsWith('__'),
  );
}

function asksForSchema({ definitions }: DocumentNode): boolean {
  const operation = definitions.find(
    (node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION,
  );
  if (operation?.operation !== OperationTypeNode.QUERY) return false;
  let found = false;
  visit({ kind: Kind.DOCUMENT, definitions } satisfies DocumentNode, {
    Field({ name }) {
      if (name.value === '__schema' || name.value === '__type') found = true;
    },
  });
  return found;
}
