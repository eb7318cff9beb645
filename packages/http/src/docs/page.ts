/** The API as one page of plain HTML: no scripts, nothing from other servers. */
import type { JsonSchema, OpenApiDocument } from '../openapi/index.js';
import { html, type Html } from './html.js';
import {
  answerView,
  lastPart,
  operationId,
  operationsOf,
  operationView,
  type ShownOperation,
} from './operation-view.js';
import { authenticationView } from './security-view.js';
import { schemaId, schemaView } from './schema-view.js';
import { paragraphs } from './text.js';

/** Renders the document; `origin` is the address of the service, for the examples. */
export function renderPage(document: OpenApiDocument, origin: string): string {
  const { info, components } = document;
  const operations = operationsOf(document);
  const base = baseOf(document.servers[0]?.url ?? '', origin);
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
            ${operations.map((shown) => operationView(document, shown, base))}
          </section>
          ${authenticationView(document)} ${problemsView(document, operations)}
          <section aria-labelledby="schemas-title">
            <h2 id="schemas-title">Schemas</h2>
            ${Object.entries(components.schemas).map(([name, schema]) => namedSchema(name, schema))}
          </section>
        </main>
      </body>
    </html>`;
  return page.toString();
}

/** The first server; a path is on the host of the service. */
function baseOf(url: string, origin: string): string {
  return (url.startsWith('/') ? origin + url : url || origin).replace(/\/$/, '');
}

function contents(operations: readonly ShownOperation[], schemas: readonly string[]): Html {
  return html`<h2>Operations</h2>
    <ul>
      ${operations.map((shown) => html`<li><a href="#${operationId(shown)}">${shown.title}</a></li> `)}
    </ul>
    <p><a href="#problems">Problems</a></p>
    <h2>Schemas</h2>
    <ul>
      ${schemas.map((name) => html`<li><a href="#${schemaId(name)}">${name}</a></li> `)}
    </ul>`;
}

/** The problems that every operation can return. */
function problemsView({ components }: OpenApiDocument, operations: readonly ShownOperation[]): Html {
  const all = operations.flatMap(({ operation }) => Object.entries(operation.responses));
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

function namedSchema(name: string, schema: JsonSchema): Html {
  return html`<article id="${schemaId(name)}" aria-labelledby="${schemaId(name)}-title">
    <h3 id="${schemaId(name)}-title">${name}</h3>
    ${typeof schema === 'boolean' ? null : paragraphs(schema.description)} ${schemaView(schema)}
  </article> `;
}
