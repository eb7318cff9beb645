/** A schema in JSON Schema 2020-12. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What svc reads and what it writes for callers. */
export type Direction = 'request' | 'response';

/** What a schema describes. A message between hosts has the form in which it is stored. */
export type SchemaForm = Direction | 'message';
