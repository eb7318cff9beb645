import {
  getNamedType,
  isInputObjectType,
  Kind,
  parseType,
  print,
  typeFromAST,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type ArgumentNode,
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLSchema,
  type ValueNode,
  type VariableDefinitionNode,
} from 'graphql';
import { requestError } from '../errors/index.js';
import { copiedVariables } from './copied-variables.js';
import { literalValue, type MakeValue, type Variables } from './literal-values.js';

/** A document whose mutations have only variables as arguments, and how to compute those variables. */
export interface OpenedDocument {
  readonly document: DocumentNode;
  /** The variables for the execution: the given ones, if the document was unchanged. */
  readonly variablesOf: (given: Variables) => Variables;
}

/** The argument of a mutation that is not built yet. A function cannot come from a caller. */
type PendingArgument = () => unknown;

/** Builds the argument of a mutation after the caller is authorized. */
export function argumentValue(argument: unknown): unknown {
  return typeof argument === 'function' ? (argument as PendingArgument)() : argument;
}

/**
 * Replaces the arguments of mutations and the filters of queries and subscriptions with variables, in a valid document with one operation. An argument that is one
 * variable stays. Others become internal variables, those of mutations as `PendingArgument`. The variables, counted for every use, may be as
 * large as a body.
 */
export function openArguments(document: DocumentNode, schema: GraphQLSchema, bodyLimit: number): OpenedDocument {
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION)!;
  const definitions = new Map(operation.variableDefinitions?.map((node) => [node.variable.name.value, node]));
  const uses = countUses(document);
  const added: AddedVariable[] = [];
  const types = new TypeInfo(schema);

  const rewritten: DocumentNode = visit(
    document,
    visitWithTypeInfo(types, {
      Argument(node): ArgumentNode | undefined {
        const argument = types.getArgument();
        if (!argument || !isOpen(argument) || staysAsItIs(node.value)) return undefined;
        const name = freeName(added.length);
        const make = literalValue(node.value, argument.type, variable);
        added.push({ name, make, node: definition(name, argument.type), kind: isRead() ? 'filter' : 'command' });
        return { ...node, value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } } };
      },
    }),
  );
  if (added.length === 0) return { document, variablesOf: (given) => given };
  const left = countUses(rewritten);
  const gone = [...definitions.values()].filter(({ variable: { name } }) => !left.has(name.value));
  return {
    document: withDefinitions(rewritten, [
      ...[...definitions.values()].filter((node) => !gone.includes(node)),
      ...added.map(({ node }) => node),
    ]),
    variablesOf: (given) => {
      for (const node of gone) requireValue(node, given);
      const copied = copiedVariables(given, uses, bodyLimit);
      const values = added.map(({ name, make, kind }): [string, unknown] => {
        if (kind === 'filter') return [name, make(given)];
        const argument: PendingArgument = () => make(copied);
        return [name, argument];
      });
      return { ...given, ...Object.fromEntries(values) };
    },
  };

  /** Arguments that the execution does not check: those of mutations, and filters. */
  function isOpen({ type }: GraphQLArgument): boolean {
    if (isRead()) return isInputObjectType(getNamedType(type));
    const mutations = schema.getMutationType();
    return !!mutations && types.getParentType() === mutations;
  }

  /** Whether the current argument belongs to a query or a subscription. */
  function isRead(): boolean {
    const parent = types.getParentType();
    return parent === schema.getQueryType() || (!!parent && parent === schema.getSubscriptionType());
  }

  function staysAsItIs(value: ValueNode): boolean {
    if (value.kind !== Kind.VARIABLE) return false;
    const { value: name } = value.name;
    return uses.get(name) === 1 && definitions.get(name)?.defaultValue === undefined;
  }

  function variable(name: string): MakeValue {
    const { defaultValue } = definitions.get(name) ?? {};
    const instead =
      defaultValue === undefined ? undefined : literalValue(defaultValue, inputType(name), () => () => undefined);
    return (variables) => (Object.hasOwn(variables, name) ? variables[name] : instead?.({}));
  }

  function inputType(name: string): GraphQLInputType | undefined {
    const node = definitions.get(name);
    return node === undefined ? undefined : (typeFromAST(schema, node.type) as GraphQLInputType | undefined);
  }

  function freeName(number: number): string {
    let name = `svc_${number}`;
    while (definitions.has(name)) name += '_';
    return name;
  }
}

interface AddedVariable {
  readonly node: VariableDefinitionNode;
  readonly name: string;
  readonly make: MakeValue;
  /** A reader may change a command; a filter is never changed. */
  readonly kind: 'filter' | 'command';
}

function definition(name: string, type: GraphQLInputType): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
    type: parseType(String(type), { noLocation: true }),
  };
}

/** A document with other definitions of variables. */
export function withDefinitions(document: DocumentNode, variables: readonly VariableDefinitionNode[]): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((node) =>
      node.kind === Kind.OPERATION_DEFINITION ? { ...node, variableDefinitions: variables } : node,
    ),
  };
}

/** Reports a missing variable as the execution does for the variables that it checks. */
function requireValue({ variable: { name }, type, defaultValue }: VariableDefinitionNode, given: Variables): void {
  if (type.kind !== Kind.NON_NULL_TYPE || defaultValue !== undefined) return;
  const value = Object.hasOwn(given, name.value) ? given[name.value] : undefined;
  if (value !== undefined && value !== null) return;
  const what =
    value === null
      ? `non-null type "${print(type)}" must not be null`
      : `required type "${print(type)}" was not provided`;
  throw requestError(400, 'GRAPHQL_VALIDATION_FAILED', `Variable "$${name.value}" of ${what}.`);
}

/** How often each variable is used, without its definition. */
export function countUses(document: DocumentNode): Map<string, number> {
  const uses = new Map<string, number>();
  visit(document, {
    VariableDefinition: () => false,
    Variable({ name }) {
      uses.set(name.value, (uses.get(name.value) ?? 0) + 1);
    },
  });
  return uses;
}
