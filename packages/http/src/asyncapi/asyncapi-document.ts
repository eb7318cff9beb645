import type { Service } from '@svc/core';
import type { PerspectiveQuery } from '@svc/core/hosting';
import type { SecurityDescription } from '../openapi/index.js';
import type { OpenApiInfo } from '../options.js';
import type { AsyncApiDocument, DescribedChannels, Operation } from './asyncapi-types.js';
import { liveChannels } from './live-channels.js';
import { messageChannels } from './message-channels.js';
import { SharedSchemas } from './shared-schemas.js';

const nothing: DescribedChannels = { channels: {}, operations: {}, messages: {} };

/** Builds the AsyncAPI document: what a service publishes and accepts over its transport, and its live queries. */
export function asyncApiDocument<TServices extends object>(
  { queries, messages: exchanged, registry }: Pick<Service<TServices>, 'queries' | 'messages' | 'registry'>,
  info: OpenApiInfo,
  prefix: string,
  { isLive, security }: { readonly isLive: boolean; readonly security: SecurityDescription | null },
): AsyncApiDocument {
  const schemas = new SharedSchemas();
  const between = exchanged === null ? nothing : messageChannels(exchanged, schemas);
  const live = isLive
    ? liveChannels(queries, prefix, registry.openapi, schemas, (query) => accessOf(query, security))
    : nothing;
  return {
    asyncapi: '3.0.0',
    info: infoOf(info),
    defaultContentType: 'application/json',
    channels: { ...between.channels, ...live.channels },
    operations: { ...between.operations, ...live.operations },
    components: {
      schemas: schemas.all,
      messages: { ...between.messages, ...live.messages },
      ...(isLive && security !== null && { securitySchemes: schemesOf(security) }),
    },
  };
}

/** AsyncAPI has no SPDX identifiers of licenses. */
function infoOf({
  title = 'API',
  version = '1.0.0',
  description,
  contact,
  license,
}: OpenApiInfo): AsyncApiDocument['info'] {
  const { identifier: _, ...terms } = license ?? {};
  return {
    title,
    version,
    ...(description !== undefined && { description }),
    ...(contact !== undefined && { contact }),
    ...(license !== undefined && { license: terms }),
  };
}

/** One of the schemes is enough. Absent: no credential is needed. */
function accessOf({ access }: PerspectiveQuery, security: SecurityDescription | null): Pick<Operation, 'security'> {
  if (security === null || access.allowAnonymous) return {};
  return {
    security: Object.keys(security.schemes).map((scheme) => ({ $ref: `#/components/securitySchemes/${scheme}` })),
  };
}

/** AsyncAPI's `apiKey` is the user name or the password of a connection; keys in headers have their own type. */
function schemesOf({ schemes }: SecurityDescription): Readonly<Record<string, object>> {
  return Object.fromEntries(
    Object.entries(schemes).map(([name, scheme]) => [
      name,
      scheme.type === 'apiKey' ? { ...scheme, type: 'httpApiKey' } : scheme,
    ]),
  );
}
