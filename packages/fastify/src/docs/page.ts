/** The API as one page of plain HTML: no scripts, nothing from elsewhere. */
import type { JsonSchema, OpenApiDocument, Operation, Response } from '../openapi/index.js';
import { exampleOf } from './example.js';
import { html, type Html } from './html.js';
import { accessView, authenticationView, exampleHeader } from './security-view.js';
import { schemaId, schemaView, typeOf } from './schema-view.js';
import { paragraphs } from './text.js';

/** Renders the document; `origin` is where the service is reached, for the examples. */
export function renderPage(document: OpenApiDocument, origin: string): string {
  const { info, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, { post }]) =>
    post === undefined ? [] : [{ path, operation: post }],
  );
  const base = document.servers[0]?.url.replace(/\/$/, '') ?? '';
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title} ${info.version}</title>
        <link rel="stylesheet" href="docs/style.css" />
      </head>
      <body>
        <a class="skip" href="#operations">Skip to the operations</a>
        <header>
          <h1>${info.title} <small>${info.version}</small></h1>
          ${paragraphs(info.description)}
          <p><a href="openapi.json">OpenAPI document</a></p>
        </header>
        <nav aria-label="Contents">${contents(operations, Object.keys(components.schemas))}</nav>
        <main>
          <section id="operations" aria-labelledby="operations-title">
            <h2 id="operations-title">Operations</h2>
            ${operations.map(({ path, operation }) => operationView(document, path, operation, origin + base))}
          </section>
          ${authenticationView(document)} ${problemsView(document)}
          <section aria-labelledby="schemas-title">
            <h2 id="schemas-title">Schemas</h2>
            ${Object.entries(components.schemas).map(([name, schema]) => namedSchema(name, schema))}
          </section>
        </main>
      </body>
    </html>`;
  return page.toString();
}

function contents(operations: readonly { path: string; operation: Operation }[], schemas: readonly string[]): Html {
  return html`<h2>Operations</h2>
    <ul>
      ${operations.map(
        ({ path, operation }) =>
          html`<li><a href="#${operationId(path)}">${operation.summary ?? operation.operationId ?? path}</a></li> `,
      )}
    </ul>
    <p><a href="#problems">Problems</a></p>
    <h2>Schemas</h2>
    <ul>
      ${schemas.map((name) => html`<li><a href="#${schemaId(name)}">${name}</a></li> `)}
    </ul>`;
}

function operationView(document: OpenApiDocument, path: string, operation: Operation, base: string): Html {
  const { components } = document;
  const { summary, operationId: name, description, requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  return html`<article id="${operationId(path)}" aria-labelledby="${operationId(path)}-title">
    <h3 id="${operationId(path)}-title">${summary ?? name ?? path}</h3>
    <p class="route"><span class="method">POST</span> <code>${path}</code></p>
    ${paragraphs(description)} ${accessView(operation)}
    ${
      body === undefined
        ? null
        : html`<h4>Body: ${typeOf(body)}</h4>
            ${schemaView(resolved(body, components.schemas))}`
    }
    ${
      body === undefined
        ? null
        : html`<h4>Example</h4>
            ${curl(base + path, exampleHeader(document, operation), exampleOf(body, components.schemas))}`
    }
    <h4>Answers</h4>
    <dl>
      ${Object.entries(responses).map(([status, response]) => ('$ref' in response ? null : answerView(status, response)))}
      <dt>other</dt>
      <dd>one of the <a href="#problems">problems</a></dd>
    </dl>
  </article> `;
}

/** What every operation can answer when it does not succeed. */
function problemsView({ paths, components }: OpenApiDocument): Html {
  const all = Object.values(paths).flatMap(({ post }) => Object.entries(post?.responses ?? {}));
  const references = Object.entries(Object.fromEntries(all));
  return html`<section id="problems" aria-labelledby="problems-title">
    <h2 id="problems-title">Problems</h2>
    <article>
      <dl>
        ${references.map(([status, response]) =>
          '$ref' in response ? answerView(status, components.responses[lastPart(response.$ref)]) : null,
        )}
      </dl>
    </article>
  </section>`;
}

function answerView(status: string, response: Response | undefined): Html {
  const bodies = Object.entries(response?.content ?? {});
  return html`<dt><code>${status}</code></dt>
    <dd>
      ${bodies.map(([type, { schema }]) => html`<div>${typeOf(schema)} <span class="format">${type}</span></div>`)}
      ${paragraphs(response?.description)}
    </dd> `;
}

function namedSchema(name: string, schema: JsonSchema): Html {
  return html`<article id="${schemaId(name)}" aria-labelledby="${schemaId(name)}-title">
    <h3 id="${schemaId(name)}-title">${name}</h3>
    ${typeof schema === 'boolean' ? null : paragraphs(schema.description)} ${schemaView(schema)}
  </article> `;
}

/** Single quotes keep a shell from reading anything into the body; one inside it ends them, is escaped, and begins them again. */
function curl(url: string, header: string | null, body: unknown): Html {
  const json = JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`);
  const who = header === null ? '' : ` \\\n  -H "${header}"`;
  const command = `curl -X POST '${url.replaceAll("'", '%27')}'${who} \\\n  -H 'content-type: application/json' \\\n  -d '${json}'`;
  return html`<pre tabindex="0"><code>${command}</code></pre>`;
}

function resolved(schema: JsonSchema, schemas: OpenApiDocument['components']['schemas']): JsonSchema {
  const reference = typeof schema === 'boolean' ? undefined : schema.$ref;
  return reference === undefined ? schema : (schemas[lastPart(reference)] ?? schema);
}

function operationId(path: string): string {
  return `operation-${encodeURIComponent(path)}`;
}

function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
