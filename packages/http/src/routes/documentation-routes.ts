import { permission, type Service } from '@svc/core';
import type { Gate } from '@svc/core/hosting';
import { restrictBrowser } from '../browser-headers.js';
import { asyncApiDocument, type AsyncApiDocument } from '../asyncapi/index.js';
import { apiPageRoutes } from '../docs/index.js';
import { openApiDocument, securityOf, type OpenApiDocument } from '../openapi/index.js';
import type { SvcOptions } from '../options.js';
import type { Route } from './route.js';

/** The OpenAPI and AsyncAPI documents of a service for programs, and a page for people. */
export function documentationRoutes<TServices extends object>(
  service: Service<TServices>,
  prefix: string,
  { openapi = {}, asyncapi = true, docs = true, docsRequire, live }: SvcOptions,
): readonly Route[] {
  if (openapi === false) return [];
  const { queries, auditQueries, registry } = service;
  const served = {
    queries,
    isLive: live !== false,
    security: securityOf(service),
    auditRoute: auditQueries?.route ?? null,
  };
  const document = openApiDocument(registry.openapi, openapi, prefix, served);
  const gate: Gate | null =
    docsRequire === undefined
      ? null
      : { requires: permission(docsRequire), allowAnonymous: false, resourceType: 'documentation' };
  return [
    documentRoute('/openapi.json', document, gate),
    ...(asyncapi ? [documentRoute('/asyncapi.json', asyncApiDocument(service, openapi, prefix, served), gate)] : []),
    ...(docs ? apiPageRoutes(document.info.title, gate) : []),
  ];
}

function documentRoute(path: string, document: OpenApiDocument | AsyncApiDocument, gate: Gate | null): Route {
  const text = JSON.stringify(document);
  return {
    method: 'GET',
    path,
    owner: 'the documentation of the API',
    gate,
    readBody: null,
    handle: async (_request, reply) => {
      restrictBrowser(reply);
      reply.header('content-type', 'application/json; charset=utf-8');
      return text;
    },
  };
}
