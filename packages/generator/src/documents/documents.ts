import { problem, type Diagnostic } from '../diagnostics/index.js';
import { graphQLSchema } from '../graphql/index.js';
import type { DocumentsModel, OperationModel, ServiceModel } from '../model/index.js';
import { checkDocuments, type CheckedDocuments } from './check.js';
import type { FoundText } from './document-files.js';
import { NamedTypes } from './named-types.js';
import { ResultTypes } from './result-types.js';
import { DocumentSchema } from './schema.js';
import { commandsIn, completed, continuing, sentText } from './sent-documents.js';
import { VariableTypes } from './variable-types.js';

/** The documents of a caller, or the problems in them. */
export interface DocumentsResult {
  readonly documents: DocumentsModel;
  readonly diagnostics: readonly Diagnostic[];
}

const none: DocumentsModel = { operations: [], fragments: [], calls: [], types: [] };

/** Checks documents against the schema of a service and finds the types of their results and variables. */
export function readDocuments(
  service: ServiceModel,
  found: readonly FoundText[],
  shown: (file: string) => string,
): DocumentsResult {
  const [first] = found;
  if (first === undefined) return { documents: none, diagnostics: [] };
  const schema = graphQLSchema(service)?.schema;
  if (schema === undefined) {
    const { line, column } = first.call;
    return { documents: none, diagnostics: [{ file: shown(first.file), line, column, ...problem('SVC2208') }] };
  }
  const typed = new DocumentSchema(service, schema);
  const checked = checkDocuments(found, typed.schema, shown);
  if (checked.diagnostics.length > 0) return { documents: none, diagnostics: checked.diagnostics };
  return { documents: typedDocuments(typed, checked), diagnostics: [] };
}

function typedDocuments(typed: DocumentSchema, { operations, fragments, calls }: CheckedDocuments): DocumentsModel {
  const sent = new Map([...fragments].map(([name, fragment]) => [name, completed(fragment, typed.schema)]));
  const types = new NamedTypes();
  const results = new ResultTypes(typed, types, sent);
  const variables = new VariableTypes(typed, types);
  const byName = operations.toSorted((a, b) => (a.name!.value < b.name!.value ? -1 : 1));
  return {
    operations: byName.map((operation): OperationModel => {
      const complete = completed(operation, typed.schema);
      const { operation: continued, list } = continuing(complete, typed.schema);
      const { text, isWaiting } = sentText(continued, sent);
      return {
        text,
        isWaiting,
        list,
        name: operation.name!.value,
        kind: operation.operation,
        result: results.operation(complete),
        variables: variables.of(operation),
        isOneCommand: commandsIn(operation.selectionSet, fragments) === 1,
      };
    }),
    fragments: [...fragments.keys()].toSorted().map((name) => results.fragment(name)),
    calls,
    types: types.all,
  };
}
