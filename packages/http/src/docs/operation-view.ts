/** One operation: its access, its request, an example call, its responses. */
import type { JsonSchema, OpenApiDocument, Operation, Response } from '../openapi/index.js';
import { exampleOf } from './example.js';
import { html, type Html } from './html.js';
import { accessView, exampleHeader } from './security-view.js';
import { schemaView, typeOf } from './schema-view.js';
import { paragraphs } from './text.js';

export interface ShownOperation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly operation: Operation;
  readonly title: string;
}

/** Commands first, then queries; each sorted by path. */
export function operationsOf({ paths }: OpenApiDocument): ShownOperation[] {
  const sorted = Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shown = (method: 'GET' | 'POST'): ShownOperation[] =>
    sorted.flatMap(([path, { get, post }]) => {
      const operation = method === 'GET' ? get : post;
      if (operation === undefined) return [];
      return [{ method, path, operation, title: operation.summary ?? operation.operationId ?? path }];
    });
  return [...shown('POST'), ...shown('GET')];
}

export function operationView(document: OpenApiDocument, shown: ShownOperation, base: string): Html {
  const { method, path, operation, title } = shown;
  const id = operationId(shown);
  const body = operation.requestBody?.content['application/json']?.schema;
  return html`<article id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title">${title}</h3>
    <p class="route"><span class="method">${method}</span> <code>${path}</code></p>
    ${paragraphs(operation.description)} ${accessView(operation)} ${parametersView(operation)}
    ${
      body === undefined
        ? null
        : html`<h4>Body: ${typeOf(body)}</h4>
            ${schemaView(resolved(body, document.components.schemas))}`
    }
    <h4>Example</h4>
    ${curl(document, shown, base, body)}
    <h4>Answers</h4>
    <dl>
      ${Object.entries(operation.responses).map(([status, response]) => ('$ref' in response ? null : answerView(status, response)))}
      <dt>other</dt>
      <dd>one of the <a href="#problems">problems</a></dd>
    </dl>
  </article> `;
}

/** Shows parameters like the properties of an object. */
function parametersView({ parameters = [] }: Operation): Html | null {
  if (parameters.length === 0) return null;
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      description === undefined || typeof schema === 'boolean' ? schema : { ...schema, description },
    ]),
  );
  const required = parameters.filter((parameter) => parameter.required === true).map(({ name }) => name);
  return html`<h4>Parameters</h4>
    ${schemaView({ type: 'object', properties, required }, 'Parameter')}`;
}

export function answerView(status: string, response: Response | undefined): Html {
  const bodies = Object.entries(response?.content ?? {});
  return html`<dt><code>${status}</code></dt>
    <dd>
      ${bodies.map(([type, { schema }]) => html`<div>${typeOf(schema)} <span class="format">${type}</span></div>`)}
      ${paragraphs(response?.description)}
      ${bodies.map(([, { schema }]) => (hasProperties(schema) ? schemaView(schema) : null))}
    </dd> `;
}

/** An object without a name is shown in place. */
function hasProperties(schema: JsonSchema): boolean {
  return typeof schema === 'object' && schema.properties !== undefined;
}

function curl(
  document: OpenApiDocument,
  { method, path, operation }: ShownOperation,
  base: string,
  body: JsonSchema | undefined,
): Html {
  const { schemas } = document.components;
  const header = exampleHeader(document, operation);
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted((base + exampleUrl(path, operation, schemas)).replaceAll("'", '%27'))}`,
    ...(header === null ? [] : [`-H "${header}"`]),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(exampleOf(body, schemas), null, 2))}`]),
  ];
  return html`<pre tabindex="0"><code>${parts.join(' \\\n  ')}</code></pre>`;
}

/** The path with an example for each of its parameters, and the defaults of the others. */
function exampleUrl(
  path: string,
  { parameters = [] }: Operation,
  schemas: OpenApiDocument['components']['schemas'],
): string {
  const value = (schema: JsonSchema): string => encodeURIComponent(String(exampleOf(schema, schemas)));
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, schema }) => text.replaceAll(`{${name}}`, value(schema)), path);
  const query = parameters
    .filter(({ schema, in: place }) => place === 'query' && typeof schema === 'object' && schema.default !== undefined)
    .map(({ name, schema }) => `${encodeURIComponent(name)}=${value(schema)}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

/** Quotes a text for a shell: a single quote inside ends the quotes, is escaped, and opens them again. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function resolved(schema: JsonSchema, schemas: OpenApiDocument['components']['schemas']): JsonSchema {
  const reference = typeof schema === 'boolean' ? undefined : schema.$ref;
  return reference === undefined ? schema : (schemas[lastPart(reference)] ?? schema);
}

export function operationId({ method, path }: ShownOperation): string {
  return `operation-${method.toLowerCase()}-${encodeURIComponent(path)}`;
}

export function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
