/** A schema in JSON Schema 2020-12. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What a schema describes: svc reads requests and writes responses. */
export type Direction = 'request' | 'response';
