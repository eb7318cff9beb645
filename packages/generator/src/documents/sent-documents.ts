import {
  graphQLLibrary,
  isField,
  isInline,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from './graphql-js.js';

/** The variables that make queries wait, by the arguments that use them. The client sets them. */
export const waitVariables = { afterEvent: 'svcAfterEvent', waitSeconds: 'svcWaitSeconds' } as const;
const waitTypes = { afterEvent: 'ID', waitSeconds: 'Int' } as const;
const waitArguments = ['afterEvent', 'waitSeconds'] as const;

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

/** A definition as clients send it: queries can wait for an event, and the type of each member of a union is known. */
export function completed<T extends Definition>(definition: T, schema: GraphQLSchema): T {
  const { isUnionType, TypeInfo, visit, visitWithTypeInfo } = graphQLLibrary();
  const types = new TypeInfo(schema);
  return visit(
    definition,
    visitWithTypeInfo(types, {
      Field: {
        leave(node) {
          const isQuery = types.getParentType() === schema.getQueryType();
          const known = types.getFieldDef()?.args.map(({ name }) => name) ?? [];
          return isQuery && known.includes('afterEvent') ? waiting(node) : undefined;
        },
      },
      SelectionSet: { leave: (node) => (isUnionType(types.getParentType()) ? withTypeName(node) : undefined) },
    }),
  );
}

/** An operation and its fragments as one text. */
export function sentText(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): { readonly text: string; readonly isWaiting: boolean } {
  const { Kind, print, stripIgnoredCharacters } = graphQLLibrary();
  const used = fragmentsOf(operation, fragments);
  const variables = variablesOf([operation, ...used]);
  const added = waitArguments.filter((name) => variables.has(waitVariables[name]));
  const complete: OperationDefinitionNode = {
    ...operation,
    variableDefinitions: [...(operation.variableDefinitions ?? []), ...added.map(definitionOf)],
  };
  const text = stripIgnoredCharacters(print({ kind: Kind.DOCUMENT, definitions: [complete, ...used] }));
  return { text, isWaiting: added.includes('afterEvent') };
}

/** How many commands a mutation executes, as the service counts them. */
export function commandsIn(
  { selections }: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): number {
  let count = 0;
  for (const selection of selections) {
    if (isField(selection)) count += selection.name.value.startsWith('__') ? 0 : 1;
    else {
      const part = isInline(selection) ? selection : fragments.get(selection.name.value)!;
      count += commandsIn(part.selectionSet, fragments);
    }
  }
  return count;
}

function waiting(node: FieldNode): FieldNode | undefined {
  const { Kind } = graphQLLibrary();
  const given = node.arguments ?? [];
  const isGiven = (argument: string): boolean => given.some(({ name }) => name.value === argument);
  if (isGiven('afterEvent')) return undefined;
  const added = waitArguments
    .filter((argument) => !isGiven(argument))
    .map((argument) => ({
      kind: Kind.ARGUMENT,
      name: nameNode(argument),
      value: { kind: Kind.VARIABLE, name: nameNode(waitVariables[argument]) },
    }));
  return { ...node, arguments: [...given, ...added] } as FieldNode;
}

function withTypeName(node: SelectionSetNode): SelectionSetNode | undefined {
  const { Kind } = graphQLLibrary();
  const isThere = node.selections.some(
    (selection) =>
      isField(selection) &&
      selection.name.value === '__typename' &&
      selection.alias === undefined &&
      (selection.directives ?? []).length === 0,
  );
  if (isThere) return undefined;
  return { ...node, selections: [{ kind: Kind.FIELD, name: nameNode('__typename') }, ...node.selections] };
}

function nameNode(value: string): FieldNode['name'] {
  return { kind: graphQLLibrary().Kind.NAME, value };
}

function definitionOf(argument: (typeof waitArguments)[number]): VariableDefinitionNode {
  const { Kind } = graphQLLibrary();
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: nameNode(waitVariables[argument]) },
    type: { kind: Kind.NAMED_TYPE, name: nameNode(waitTypes[argument]) },
  };
}

/** The fragments that an operation uses, also through others, in the order of their first use. */
function fragmentsOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): FragmentDefinitionNode[] {
  const found = new Set<FragmentDefinitionNode>();
  const { visit } = graphQLLibrary();
  const add = (definition: Definition): void => {
    visit(definition, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value)!;
        if (found.has(fragment)) return;
        found.add(fragment);
        add(fragment);
      },
    });
  };
  add(operation);
  return [...found];
}

function variablesOf(definitions: readonly Definition[]): ReadonlySet<string> {
  const found = new Set<string>();
  const { visit } = graphQLLibrary();
  for (const definition of definitions) visit(definition, { Variable: ({ name }) => void found.add(name.value) });
  return found;
}
