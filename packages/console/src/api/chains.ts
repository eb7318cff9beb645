import { NotFoundError, type Uuid } from '@svc/core';
import { provenanceOf } from '@svc/core/hosting';
import { Chain, ChainParameters, DatabaseQuery } from '../contract/index.js';
import { recordAuditView } from './audit.js';
import { operation } from './operation.js';
import { entryOf } from './shown.js';

export const chain = operation({
  method: 'GET',
  path: '/chains/:correlation',
  summary: 'What a request caused, in all streams, as a graph of at most 1,000 nodes',
  right: 'read',
  params: ChainParameters,
  query: DatabaseQuery,
  body: null,
  response: Chain,
  answer: async ({ service, params, signal }) => {
    const correlationId = params.correlation as Uuid;
    await recordAuditView(service, undefined);
    const { nodes, edges, isComplete } = await service.audit.chain(correlationId, { signal });
    if (nodes.length === 0) {
      throw new NotFoundError(
        `There are no audit records of the request ${correlationId}. They can follow its response by a moment.`,
      );
    }
    return {
      correlationId,
      nodes: nodes.map(({ entry, metadata }) => {
        const { origin, traceId } = provenanceOf(metadata);
        return { id: entry.id, entry: entryOf(entry), origin, traceId };
      }),
      edges: [...edges],
      isComplete,
    };
  },
});
