import { graphQLLibrary, type ValidationRule } from './graphql-js.js';
import { waitVariables } from './sent-documents.js';

/** Rules about names have diagnostics of their own. A fragment that is not used does no harm. */
const others = new Set([
  'LoneAnonymousOperationRule',
  'NoUnusedFragmentsRule',
  'UniqueFragmentNamesRule',
  'UniqueOperationNamesRule',
]);

export function rulesOfDocuments(): ValidationRule[] {
  const { specifiedRules } = graphQLLibrary();
  return [...specifiedRules.filter(({ name }) => !others.has(name)), noIntrospection, noWaitVariables];
}

const noIntrospection: ValidationRule = (context) => ({
  Field(node) {
    const { value } = node.name;
    if (value !== '__schema' && value !== '__type') return;
    const { GraphQLError } = graphQLLibrary();
    context.reportError(new GraphQLError(`The result of "${value}" has no type in a client.`, { nodes: node }));
  },
});

const noWaitVariables: ValidationRule = (context) => ({
  VariableDefinition(node) {
    const { value } = node.variable.name;
    if (!Object.values(waitVariables).some((name) => name === value)) return;
    const { GraphQLError } = graphQLLibrary();
    context.reportError(new GraphQLError(`The client sets the variable "$${value}" itself.`, { nodes: node }));
  },
});
