import { fromJsonSchema } from './from-json-schema.mjs';

/** A valid request of an operation of the OpenAPI document. */
export function restRequest(operation, values, resolve) {
  const { name, method, path, parameters, body } = operation;
  const json = body === null ? undefined : fromJsonSchema(body, values, resolve);
  return {
    operation: name,
    method,
    path: filledPath(path, values),
    query: queryOf(parameters, values, resolve),
    headers: headersOf(parameters, values),
    json,
  };
}

function filledPath(path, values) {
  const resource = path.split('/')[1] ?? '';
  return path.replace(/\{(\w+)\}/g, (_, name) => values.id(name === 'id' ? `${resource.replace(/s$/, '')}Id` : name));
}

function queryOf(parameters, values, resolve) {
  const { random } = values;
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  // A request with half of dozens of filters would find nothing.
  const share = Math.min(0.4, 1.5 / inQuery.length);
  const chosen = inQuery.filter(({ required = false }) => required || random.chance(share));
  return chosen.flatMap(({ name, schema }) => {
    // `filter[orderId][in]` has the same values as `orderId`.
    const property = /^\w+\[(\w+)\]/.exec(name)?.[1] ?? name;
    const value = property.endsWith('Id') ? values.id(property) : fromJsonSchema(schema, values, resolve, property);
    return (Array.isArray(value) ? value : [value]).map((item) => [name, String(item)]);
  });
}

function headersOf(parameters, values) {
  const { random } = values;
  const headers = [];
  for (const { name, in: place } of parameters) {
    if (place !== 'header') continue;
    // By default a query waits five seconds for a perspective that is behind.
    if (name === 'Prefer') headers.push(['prefer', 'wait=0']);
    else if (name === 'Idempotency-Key' && random.chance(0.2)) headers.push(['idempotency-key', keyOf(random)]);
    else if (name === 'Last-Event-ID' && random.chance(0.3)) headers.push(['last-event-id', placeOf(random)]);
  }
  return headers;
}

/** The place of a live query: of another rebuild, or none at all. */
function placeOf(random) {
  return random.chance(0.5) ? `${random.hex(32)}.${random.below(100)}` : random.uuid();
}

/** Few keys, so that they repeat: for the same request and for others, of both tenants. */
export function keyOf(random) {
  return random.chance(0.5) ? `key-${random.below(40)}` : random.uuid();
}
