import {
  isRequiredArgument,
  Kind,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';
import { requestError, type RequestError } from '../errors/index.js';
import type { Executable } from './executable.js';
import { countUses, withDefinitions } from './open-arguments.js';

/** A subscription: its one field, and what is executed for each result. */
export interface PreparedSubscription {
  readonly field: FieldNode;
  readonly variables: readonly VariableDefinitionNode[];
  /** The selection without the arguments of the field, which are needed only at the start. */
  readonly step: Executable;
  /** The variables of `step`. */
  readonly stepVariables: readonly string[];
}

/** Prepares a valid document with one subscription. */
export function prepareSubscription(
  document: DocumentNode,
  schema: GraphQLSchema,
  usesBeforeCompilation: number,
): PreparedSubscription {
  const types = new TypeInfo(schema);
  let field: FieldNode | undefined;
  const withoutArguments: DocumentNode = visit(
    document,
    visitWithTypeInfo(types, {
      Field(node): FieldNode | undefined {
        if (types.getParentType() !== schema.getSubscriptionType()) return undefined;
        field ??= node;
        const required = types.getFieldDef()!.args.filter(isRequiredArgument);
        return { ...node, arguments: required.map(({ name }) => placeholder(name)) };
      },
    }),
  );
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!;
  const variables = operation.variableDefinitions ?? [];
  const uses = countUses(withoutArguments);
  const used = variables.filter(({ variable }) => uses.has(variable.name.value));
  return {
    field: field!,
    variables,
    step: {
      document: withDefinitions(withoutArguments, used),
      isIntrospection: false,
      isSchemaOnly: false,
      usesBeforeCompilation,
    },
    stepVariables: used.map(({ variable }) => variable.name.value),
  };
}

/** The execution of a step reads no arguments, but checks that those are there which the schema requires. */
function placeholder(name: string): ArgumentNode {
  return {
    kind: Kind.ARGUMENT,
    name: { kind: Kind.NAME, value: name },
    value: { kind: Kind.STRING, value: '' },
  };
}

/**
 * Rejects subscriptions whose field can be skipped: a connection without results. Runs before validation, which throws if a variable decides.
 */
export function rejectConditions({ definitions }: DocumentNode): void {
  const fragments = new Map<string, SelectionSetNode>();
  for (const node of definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node.selectionSet);
  }
  for (const node of definitions) {
    if (node.kind === Kind.OPERATION_DEFINITION && node.operation === OperationTypeNode.SUBSCRIPTION) {
      check(node.selectionSet);
    }
  }

  function check({ selections }: SelectionSetNode): void {
    for (const node of selections) {
      if (node.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include')) throw conditional();
      if (node.kind === Kind.INLINE_FRAGMENT) check(node.selectionSet);
      if (node.kind !== Kind.FRAGMENT_SPREAD) continue;
      const fragment = fragments.get(node.name.value);
      // Once: a fragment may contain itself.
      fragments.delete(node.name.value);
      if (fragment !== undefined) check(fragment);
    }
  }
}

function conditional(): RequestError {
  return requestError(
    400,
    'GRAPHQL_VALIDATION_FAILED',
    'The field of a subscription cannot be skipped. Remove @skip and @include from it.',
  );
}
