import type { OpenApiDocument, Operation, SecurityScheme } from '../openapi/index.js';
import { html, type Html } from './html.js';
import { paragraphs } from './text.js';

/** How callers authenticate; null in a service without authentication. */
export function authenticationView({ components: { securitySchemes } }: OpenApiDocument): Html | null {
  if (securitySchemes === undefined) return null;
  return html`<section id="authentication" aria-labelledby="authentication-title">
    <h2 id="authentication-title">Authentication</h2>
    <article>
      <dl>
        ${Object.entries(securitySchemes).map(
          ([name, scheme]) =>
            html`<dt>${name}</dt>
              <dd><code>${headerLine(scheme)}</code>${paragraphs(scheme.description)}</dd> `,
        )}
      </dl>
    </article>
  </section>`;
}

/** The access that an operation requires. */
export function accessView({ security }: Operation): Html | null {
  if (security === undefined) return null;
  if (security.some((requirement) => Object.keys(requirement).length === 0)) {
    return html`<p class="access">No authentication required.</p>`;
  }
  const needed = new Set(security.flatMap((requirement) => Object.values(requirement).flat()));
  const permissions = [...needed].map((name) => html` <code>${name}</code>`);
  return html`<p class="access">
    ${needed.size === 0 ? 'Requires authentication' : html`Requires the permission${permissions}`} (<a
      href="#authentication"
      >authentication</a
    >).
  </p>`;
}

/** The header of an example, for the first authentication scheme. */
export function exampleHeader(document: OpenApiDocument, { security }: Operation): string | null {
  const [name] = Object.keys(security?.[0] ?? {});
  const scheme = name === undefined ? undefined : document.components.securitySchemes?.[name];
  return scheme === undefined ? null : headerLine(scheme);
}

function headerLine({ scheme = '', name }: SecurityScheme): string {
  if (name !== undefined) return `${name}: $API_KEY`;
  return `authorization: ${scheme.charAt(0).toUpperCase()}${scheme.slice(1)} $TOKEN`;
}
