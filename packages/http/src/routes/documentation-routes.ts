import { permission, type Service } from '@svc/core';
import type { Gate } from '@svc/core/hosting';
import { restrictBrowser } from '../browser-headers.js';
import { renderPage, style } from '../docs/index.js';
import { openApiDocument, securityOf, type OpenApiDocument } from '../openapi/index.js';
import type { SvcOptions } from '../options.js';
import type { Route } from './route.js';

/** The OpenAPI document of a service for programs, and a page of it for people. */
export function documentationRoutes<TServices extends object>(
  service: Service<TServices>,
  prefix: string,
  { openapi = {}, docs = true, docsRequire }: SvcOptions,
): readonly Route[] {
  if (openapi === false) return [];
  const { queries, auditQueries, registry } = service;
  const served = { queries, security: securityOf(service), auditRoute: auditQueries?.route ?? null };
  const document = openApiDocument(registry.openapi, openapi, prefix, served);
  const gate: Gate | null =
    docsRequire === undefined
      ? null
      : { requires: permission(docsRequire), allowAnonymous: false, resourceType: 'documentation' };
  return [documentRoute(document, gate), ...(docs ? pageRoutes(document, gate) : [])];
}

function documentRoute(document: OpenApiDocument, gate: Gate | null): Route {
  const text = JSON.stringify(document);
  return {
    method: 'GET',
    path: '/openapi.json',
    gate,
    readBody: null,
    handle: async (_request, reply) => {
      restrictBrowser(reply);
      reply.header('content-type', 'application/json; charset=utf-8');
      return text;
    },
  };
}

/** The placeholder in the page for the address that the caller used. */
const anyOrigin = 'https://origin.invalid';

/** Plain HTML that loads only its own stylesheet. */
function pageRoutes(document: OpenApiDocument, gate: Gate | null): readonly Route[] {
  const page = renderPage(document, anyOrigin);
  return [
    {
      method: 'GET',
      path: '/docs',
      gate,
      readBody: null,
      handle: async ({ protocol, host }, reply) => {
        restrictBrowser(reply, ["style-src 'self'"]);
        reply.header('content-type', 'text/html; charset=utf-8');
        return page.replaceAll(anyOrigin, originOf(protocol, host));
      },
    },
    {
      method: 'GET',
      path: '/docs/style.css',
      gate,
      readBody: null,
      handle: async (_request, reply) => {
        restrictBrowser(reply);
        reply.header('content-type', 'text/css; charset=utf-8');
        return style;
      },
    },
  ];
}

const plainHost = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?$/i;
/** A DNS name, a colon and a port. */
const longestHost = 253 + 6;

/** The Host header comes from the caller, so only a plain one is repeated. */
function originOf(protocol: string, host: string): string {
  return host.length <= longestHost && plainHost.test(host) ? `${protocol}://${host}` : 'http://localhost:3000';
}
