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
import { refusal } from '../errors/index.js';
import { copiedVariables } from './copied-variables.js';
import { literalValue, type MakeValue, type Variables } from './literal-values.js';

/** A document whose mutations take their arguments from variables alone, and what those are made of. */
export interface OpenedDocument {
  readonly document: DocumentNode;
  /** What is passed to the execution: the given variables themselves where the document was like that already. */
  readonly variablesOf: (given: Variables) => Variables;
}

/** The argument of a mutation that is yet to be put together. What a caller sends is never a function. */
type PendingArgument = () => unknown;

/** The argument of a mutation, put together for whoever may execute it. */
export function argumentValue(argument: unknown): unknown {
  return typeof argument === 'function' ? (argument as PendingArgument)() : argument;
}

/**
 * Takes the arguments of mutations, and the filters of queries, out of a document, which holds one operation and is valid. An argument that is a variable of its
 * own stays: that is how programs send them. Written-out ones become variables that only the execution knows, those of mutations as
 * `PendingArgument`. With every use of a variable counted, the variables may be as large as a body.
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
        added.push({ name, make, node: definition(name, argument.type), kind: isQuery() ? 'filter' : 'command' });
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

  /** Arguments that the execution lets through as they are: those of mutations, and filters of queries. */
  function isOpen({ type }: GraphQLArgument): boolean {
    if (isQuery()) return isInputObjectType(getNamedType(type));
    const mutations = schema.getMutationType();
    return !!mutations && types.getParentType() === mutations;
  }

  /** Whether the argument that is looked at is one of a query. */
  function isQuery(): boolean {
    return types.getParentType() === schema.getQueryType();
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
  /** Nobody changes the filter of a query; a command is changed by its reader. */
  readonly kind: 'filter' | 'command';
}

function definition(name: string, type: GraphQLInputType): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
    type: parseType(String(type), { noLocation: true }),
  };
}

function withDefinitions(document: DocumentNode, variables: readonly VariableDefinitionNode[]): DocumentNode {
  return {
    ...document,
    definitions: document.definitions.map((node) =>
      node.kind === Kind.OPERATION_DEFINITION ? { ...node, variableDefinitions: variables } : node,
    ),
  };
}

/** What the execution says of the variables it knows itself. */
function requireValue({ variable: { name }, type, defaultValue }: VariableDefinitionNode, given: Variables): void {
  if (type.kind !== Kind.NON_NULL_TYPE || defaultValue !== undefined) return;
  const value = Object.hasOwn(given, name.value) ? given[name.value] : undefined;
  if (value !== undefined && value !== null) return;
  const what =
    value === null
      ? `non-null type "${print(type)}" must not be null`
      : `required type "${print(type)}" was not provided`;
  throw refusal(400, 'GRAPHQL_VALIDATION_FAILED', `Variable "$${name.value}" of ${what}.`);
}

/** How often each variable is used, its definition left out. */
function countUses(document: DocumentNode): Map<string, number> {
  const uses = new Map<string, number>();
  visit(document, {
    VariableDefinition: () => false,
    Variable({ name }) {
      uses.set(name.value, (uses.get(name.value) ?? 0) + 1);
    },
  });
  return uses;
}
