import {
  graphQLLibrary,
  isField,
  isInline,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationRule,
} from './graphql-js.js';
import { clientVariables } from './sent-documents.js';

/** Rules about names have diagnostics of their own. A fragment that is not used does no harm. */
const others = new Set([
  'LoneAnonymousOperationRule',
  'NoUnusedFragmentsRule',
  'UniqueFragmentNamesRule',
  'UniqueOperationNamesRule',
]);

export function rulesOfDocuments(): ValidationRule[] {
  const { specifiedRules } = graphQLLibrary();
  return [...specifiedRules.filter(({ name }) => !others.has(name)), noIntrospection, noClientVariables];
}

const noIntrospection: ValidationRule = (context) => ({
  Field(node) {
    const { value } = node.name;
    if (value !== '__schema' && value !== '__type') return;
    const { GraphQLError } = graphQLLibrary();
    context.reportError(new GraphQLError(`The result of "${value}" has no type in a client.`, { nodes: node }));
  },
});

const noClientVariables: ValidationRule = (context) => ({
  VariableDefinition(node) {
    const { value } = node.variable.name;
    if (!Object.values(clientVariables).some((name) => name === value)) return;
    const { GraphQLError } = graphQLLibrary();
    context.reportError(new GraphQLError(`The client sets the variable "$${value}" itself.`, { nodes: node }));
  },
});

/** Whether an operation is a subscription whose field can be skipped, which services reject. */
export function isSkippable(
  { operation, selectionSet }: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): boolean {
  const visited = new Set<SelectionSetNode>();
  const isIn = (set: SelectionSetNode): boolean => {
    // A fragment may contain itself.
    if (visited.has(set)) return false;
    visited.add(set);
    return set.selections.some((selection) => {
      if (selection.directives?.some(({ name }) => name.value === 'skip' || name.value === 'include')) return true;
      if (isField(selection)) return false;
      const part = isInline(selection) ? selection : fragments.get(selection.name.value);
      return part !== undefined && isIn(part.selectionSet);
    });
  };
  return operation === graphQLLibrary().OperationTypeNode.SUBSCRIPTION && isIn(selectionSet);
}
