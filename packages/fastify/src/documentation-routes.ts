import { restrictBrowser } from '@svc/http';
import type { FastifyInstance } from 'fastify';
import type { RestrictingHooks } from './access/index.js';
import { renderPage, style } from './docs/index.js';
import type { OpenApiDocument } from './openapi/index.js';

/** Serves the OpenAPI document for programs, and returns its path. */
export function addOpenApiRoute(
  app: FastifyInstance,
  document: OpenApiDocument,
  options: RestrictingHooks,
): readonly string[] {
  const text = JSON.stringify(document);
  app.get('/openapi.json', options, (_request, reply) => {
    restrictBrowser(reply);
    return reply.type('application/json; charset=utf-8').send(text);
  });
  return [`${app.prefix}/openapi.json`];
}

/** The placeholder in the page for the address that the caller used. */
const anyOrigin = 'https://origin.invalid';

/** Serves the OpenAPI document for people, plain HTML that loads only its own stylesheet, and returns the paths. */
export function addDocsRoutes(
  app: FastifyInstance,
  document: OpenApiDocument,
  options: RestrictingHooks,
): readonly string[] {
  const page = renderPage(document, anyOrigin);
  app.get('/docs', options, (request, reply) => {
    restrictBrowser(reply, ["style-src 'self'"]);
    const origin = originOf(request.protocol, request.host);
    return reply.type('text/html; charset=utf-8').send(page.replaceAll(anyOrigin, origin));
  });
  app.get('/docs/style.css', options, (_request, reply) => {
    restrictBrowser(reply);
    return reply.type('text/css; charset=utf-8').send(style);
  });
  return [`${app.prefix}/docs`, `${app.prefix}/docs/style.css`];
}

const plainHost = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i;
/** A DNS name, a colon and a port. */
const longestHost = 253 + 6;

/** The Host header comes from the caller, so only a plain one is repeated. */
function originOf(protocol: string, host: string): string {
  return host.length <= longestHost && plainHost.test(host) ? `${protocol}://${host}` : 'http://localhost:3000';
}
