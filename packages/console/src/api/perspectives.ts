import type { Uuid } from '@svc/core';
import type { PerspectiveLag, PerspectiveState } from '@svc/core/hosting';
import {
  DatabaseQuery,
  NamePath,
  NoParameters,
  PageQuery,
  PerspectiveDetails,
  PerspectiveList,
  RebuildBody,
  RequestedOperation,
  RetryPerspectiveBody,
  type PerspectiveSummary,
} from '../contract/index.js';
import { operation, type Operation } from './operation.js';
import { pageOf } from './page.js';
import { optionalTime, shownOperation } from './shown-operation.js';

const listPerspectives = operation({
  method: 'GET',
  path: '/perspectives',
  summary: 'The perspectives, with their places, lags and hosts. While one lags, its rate is measured for a second',
  right: 'read',
  params: NoParameters,
  query: DatabaseQuery,
  body: null,
  response: PerspectiveList,
  answer: async ({ service }) => ({
    perspectives: (await service.administration.perspectives.list()).map(summaryOf),
  }),
});

const findPerspective = operation({
  method: 'GET',
  path: '/perspectives/:name',
  summary: 'A perspective, its segments, and a page of its stopped streams',
  right: 'read',
  params: NamePath,
  query: PageQuery,
  body: null,
  response: PerspectiveDetails,
  answer: async ({ service, params, query }) => {
    const { perspective, stopped } = await service.administration.perspectives.find(params.name, pageOf(query));
    return {
      perspective: summaryOf(perspective),
      segments: perspective.segments.map((one) => Object.assign({ segment: one.segment }, standingOf(one))),
      stoppedStreams: stopped.items.map(({ streamId, position, eventId, errorName, errorMessage }) => ({
        streamId,
        position,
        eventId,
        errorName,
        errorMessage,
      })),
      next: stopped.next,
    };
  },
});

const rebuildPerspective = operation({
  method: 'POST',
  path: '/perspectives/:name/rebuild',
  summary: 'Requests a rebuild of the models from all events',
  right: 'write',
  params: NamePath,
  query: DatabaseQuery,
  body: RebuildBody,
  response: RequestedOperation,
  answer: async ({ service, params, body: { reason, mode, streams, eventsPerSecond } }) => {
    const given = {
      mode,
      ...(streams !== undefined && { streams: streams as Uuid[] }),
      ...(eventsPerSecond !== undefined && { eventsPerSecond }),
    };
    return shownOperation(await service.administration.perspectives.rebuild(params.name, given, reason));
  },
});

const retryPerspective = operation({
  method: 'POST',
  path: '/perspectives/:name/retry',
  summary: 'Requests a retry of stopped streams',
  right: 'write',
  params: NamePath,
  query: DatabaseQuery,
  body: RetryPerspectiveBody,
  response: RequestedOperation,
  answer: async ({ service, params, body: { stream, reason } }) =>
    shownOperation(
      await service.administration.perspectives.retry(params.name, (stream as Uuid | undefined) ?? null, reason),
    ),
});

export const perspectiveOperations: readonly Operation[] = [
  listPerspectives,
  findPerspective,
  rebuildPerspective,
  retryPerspective,
];

function summaryOf(state: PerspectiveState): PerspectiveSummary {
  const { perspective, version, indexed, operation: open } = state;
  return {
    name: perspective,
    version,
    indexed: [...indexed],
    ...standingOf(state),
    operation: open === null ? null : shownOperation(open),
  };
}

interface Standing extends PerspectiveLag {
  readonly sequence: number;
  readonly stopped: number;
  readonly hosts: readonly (string | null)[];
}

function standingOf({ sequence, behind, oldestWaiting, eventsPerSecond, stopped, hosts }: Standing) {
  return {
    sequence,
    behind,
    oldestWaiting: optionalTime(oldestWaiting),
    eventsPerSecond,
    stopped,
    hosts: hosts.map((host) => host ?? 'unknown'),
  };
}
