import type { Uuid } from '@svc/core';
import type { ReactionState } from '@svc/core/hosting';
import {
  DatabaseQuery,
  NamePath,
  NoParameters,
  PageQuery,
  PausedReaction,
  ReactionDetails,
  ReactionList,
  ReasonBody,
  RetriedReaction,
  RetryReactionBody,
  SkippedEvent,
  SkipReactionBody,
  type ReactionSummary,
} from '../contract/index.js';
import { operation, type Operation } from './operation.js';
import { pageOf } from './page.js';
import { optionalTime, time } from './shown-operation.js';

const listReactions = operation({
  method: 'GET',
  path: '/reactions',
  summary: 'The reactions, with their places, lags and hosts',
  right: 'read',
  params: NoParameters,
  query: DatabaseQuery,
  body: null,
  response: ReactionList,
  answer: async ({ service }) => ({ reactions: (await service.administration.reactions.list()).map(summaryOf) }),
});

const findReaction = operation({
  method: 'GET',
  path: '/reactions/:name',
  summary: 'A reaction, and a page of its failed streams',
  right: 'read',
  params: NamePath,
  query: PageQuery,
  body: null,
  response: ReactionDetails,
  answer: async ({ service, params, query }) => {
    const { reaction, failed } = await service.administration.reactions.find(params.name, pageOf(query));
    return { reaction: summaryOf(reaction), failedStreams: [...failed.items], next: failed.next };
  },
});

const retryReaction = operation({
  method: 'POST',
  path: '/reactions/:name/retry',
  summary: 'Retries failed streams now',
  right: 'write',
  params: NamePath,
  query: DatabaseQuery,
  body: RetryReactionBody,
  response: RetriedReaction,
  answer: async ({ service, params, body: { stream, reason } }) => ({
    retried: await service.administration.reactions.retry(params.name, (stream as Uuid | undefined) ?? null, reason),
  }),
});

const skipReaction = operation({
  method: 'POST',
  path: '/reactions/:name/skip',
  summary: 'Skips the event at which a stream failed',
  right: 'write',
  params: NamePath,
  query: DatabaseQuery,
  body: SkipReactionBody,
  response: SkippedEvent,
  answer: async ({ service, params, body: { stream, reason } }) => {
    await service.administration.reactions.skip(params.name, stream as Uuid, reason);
    return { skipped: stream };
  },
});

const pauseReaction = operation({
  method: 'POST',
  path: '/reactions/:name/pause',
  summary: 'Pauses a reaction: it processes no events until it is resumed',
  right: 'write',
  params: NamePath,
  query: DatabaseQuery,
  body: ReasonBody,
  response: PausedReaction,
  answer: async ({ service, params, body: { reason } }) => {
    await service.administration.reactions.pause(params.name, reason);
    return { isPaused: true };
  },
});

const resumeReaction = operation({
  method: 'POST',
  path: '/reactions/:name/resume',
  summary: 'Resumes a paused reaction at its place',
  right: 'write',
  params: NamePath,
  query: DatabaseQuery,
  body: ReasonBody,
  response: PausedReaction,
  answer: async ({ service, params, body: { reason } }) => {
    await service.administration.reactions.resume(params.name, reason);
    return { isPaused: false };
  },
});

export const reactionOperations: readonly Operation[] = [
  listReactions,
  findReaction,
  retryReaction,
  skipReaction,
  pauseReaction,
  resumeReaction,
];

function summaryOf({ startedAt, oldest, ...rest }: ReactionState): ReactionSummary {
  const { name, sequence, behind, waiting, parked, isPaused, startedAfter, hosts } = rest;
  return {
    name,
    sequence,
    behind,
    oldestWaiting: optionalTime(oldest),
    waiting,
    parked,
    isPaused,
    startedAt: time(startedAt),
    startedAfter,
    hosts: [...hosts],
  };
}
