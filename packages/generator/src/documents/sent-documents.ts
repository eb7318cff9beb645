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

/** The variables that the client sets, by the arguments that use them: queries wait, and subscriptions continue. */
export const clientVariables = {
  afterEvent: 'svcAfterEvent',
  waitSeconds: 'svcWaitSeconds',
  since: 'svcSince',
} as const;
const variableTypes = { afterEvent: 'ID', waitSeconds: 'Int', since: 'String' } as const;
const waitArguments = ['afterEvent', 'waitSeconds'] as const;
const clientArguments = [...waitArguments, 'since'] as const;
/** The name under which the client reads the place of a list. */
const placeName = 'svcPlace';

type Definition = OperationDefinitionNode | FragmentDefinitionNode;

/** A definition as clients send it: queries and subscriptions can wait for an event, and the type of each member of a union is known. */
export function completed<T extends Definition>(definition: T, schema: GraphQLSchema): T {
  const { isUnionType, TypeInfo, visit, visitWithTypeInfo } = graphQLLibrary();
  const types = new TypeInfo(schema);
  return visit(
    definition,
    visitWithTypeInfo(types, {
      Field: {
        leave(node) {
          const parent = types.getParentType();
          const isQuery = parent === schema.getQueryType() || parent === schema.getSubscriptionType();
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
  const added = clientArguments.filter((name) => variables.has(clientVariables[name]));
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
  return isGiven(node, 'afterEvent') ? undefined : withArguments(node, waitArguments);
}

function isGiven({ arguments: given = [] }: FieldNode, argument: string): boolean {
  return given.some(({ name }) => name.value === argument);
}

/** A field with the arguments that it does not have, set to the variables of the client. */
function withArguments(node: FieldNode, names: readonly (keyof typeof clientVariables)[]): FieldNode {
  const { Kind } = graphQLLibrary();
  const added = names
    .filter((argument) => !isGiven(node, argument))
    .map((argument) => ({
      kind: Kind.ARGUMENT,
      name: nameNode(argument),
      value: { kind: Kind.VARIABLE, name: nameNode(clientVariables[argument]) },
    }));
  return { ...node, arguments: [...(node.arguments ?? []), ...added] } as FieldNode;
}

/**
 * A subscription that continues after a reconnect, if it is for a list: it selects the place of the list, and has an argument for it. `list` is the name of
 * the list in the result. A field inside a fragment, or with its own `since`, stays as it is: then all models are sent again.
 */
export function continuing(
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
): { readonly operation: OperationDefinitionNode; readonly list: string | null } {
  const { Kind, TypeInfo, visit, visitWithTypeInfo } = graphQLLibrary();
  const types = new TypeInfo(schema);
  let list: string | null = null;
  const changed = visit(
    operation,
    visitWithTypeInfo(types, {
      Field: {
        leave(node): FieldNode | undefined {
          if (types.getParentType() !== schema.getSubscriptionType()) return undefined;
          const hasPlaces = types.getFieldDef()?.args.some(({ name }) => name === 'since') ?? false;
          if (!hasPlaces || isGiven(node, 'since')) return undefined;
          list = (node.alias ?? node.name).value;
          const place: FieldNode = { kind: Kind.FIELD, alias: nameNode(placeName), name: nameNode('place') };
          const selections = [place, ...node.selectionSet!.selections];
          return { ...withArguments(node, ['since']), selectionSet: { kind: Kind.SELECTION_SET, selections } };
        },
      },
    }),
  );
  return { operation: changed, list };
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

function definitionOf(argument: keyof typeof clientVariables): VariableDefinitionNode {
  const { Kind } = graphQLLibrary();
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: nameNode(clientVariables[argument]) },
    type: { kind: Kind.NAMED_TYPE, name: nameNode(variableTypes[argument]) },
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
