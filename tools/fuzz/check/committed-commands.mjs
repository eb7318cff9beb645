/** How many commands were committed, according to a response. */
import { Kind, parse } from 'graphql';
import { collectFields } from 'graphql/execution/collectFields.js';

/**
 * Counts the commands committed for a request, from its response alone. Over REST that is a 200 to a POST that is not a replay. Over
 * GraphQL a request may have many mutations, some of which may have failed.
 */
export function committedCommands(request, answer, schema) {
  if (answer.status !== 200 || request.method !== 'POST') return 0;
  if (answer.headers['idempotency-replayed'] !== undefined) return 0;
  const result = resultIn(answer);
  if (!isGraphQLAnswer(result)) return 1;
  // Without an event nothing was committed: the request was a query, failed, or was replayed under its key.
  if (answer.headers['svc-last-event'] === undefined) return 0;
  const body = parsed(request.body);
  if (!Array.isArray(body)) return committedMutations(body, result, schema);
  return body.reduce((sum, item, i) => sum + committedMutations(item, result[i], schema), 0);
}

/** The result of an operation can also be an event of a stream. */
function resultIn({ headers, body }) {
  if (!headers['content-type']?.startsWith('text/event-stream')) return parsed(body);
  return parsed(/^data: (.*)$/m.exec(body.toString('utf8'))?.[1] ?? '');
}

function parsed(bytes) {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

function isGraphQLAnswer(result) {
  if (Array.isArray(result)) return result.length > 0 && isGraphQLAnswer(result[0]);
  return typeof result === 'object' && result !== null && ('data' in result || Array.isArray(result.errors));
}

function committedMutations(body, { data, errors = [] }, schema) {
  // Without data nothing was executed: the body may not even be an operation.
  if (data === undefined) return 0;
  const { query, operationName, variables } = body;
  const { definitions } = parse(query);
  const operation = operationIn(definitions, operationName);
  if (operation?.operation !== 'mutation') return 0;
  const keys = rootKeys(operation, definitions, variables, schema);
  // A result that cannot be written fails below its mutation, which is committed.
  const failed = new Set(errors.filter(({ path }) => path?.length === 1).map(({ path }) => path[0]));
  if (data !== null) return keys.filter((key) => !failed.has(key)).length;
  // A mutation with a required result failed: the mutations before it were executed, those after it were not.
  const last = Math.max(...[...failed].map((key) => keys.indexOf(key)));
  return keys.slice(0, last).filter((key) => !failed.has(key)).length;
}

function operationIn(definitions, name) {
  const operations = definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return operations.find((operation) => !name || operation.name?.value === name);
}

/** The names of the mutations in a response, in the order of execution. */
function rootKeys(operation, definitions, variables, schema) {
  const isFragment = ({ kind }) => kind === Kind.FRAGMENT_DEFINITION;
  const fragments = Object.fromEntries(definitions.filter(isFragment).map((item) => [item.name.value, item]));
  const type = schema.getMutationType();
  const fields = collectFields(
    schema,
    fragments,
    { ...defaultsOf(operation), ...variables },
    type,
    operation.selectionSet,
  );
  return [...fields].filter(([, [node]]) => node.name.value !== '__typename').map(([key]) => key);
}

function defaultsOf({ variableDefinitions = [] }) {
  const given = variableDefinitions.filter(({ defaultValue }) => defaultValue?.value !== undefined);
  return Object.fromEntries(given.map(({ variable, defaultValue }) => [variable.name.value, defaultValue.value]));
}
