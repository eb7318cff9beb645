import type {
  Overview as ServiceOverview,
  OverviewHost as ServiceHost,
  OverviewSeals as ServiceSeals,
} from '@svc/core/hosting';
import {
  Deployment,
  DeploymentQuery,
  History,
  HistoryQuery,
  NoParameters,
  Overview,
  OverviewQuery,
  type OverviewHost,
  type OverviewSeals,
} from '../contract/index.js';
import { operation } from './operation.js';

const mostLeases = 100;
const usualHistory = 60;
const usualDeployment = 5;

export const overview = operation({
  method: 'GET',
  path: '/overview',
  summary: 'The state of the service: health, hosts, rates, lag, outbox, dead letters, seals',
  right: 'read',
  params: NoParameters,
  query: OverviewQuery,
  body: null,
  response: Overview,
  answer: async ({ service }) => overviewOf(await service.administration.overview.read()),
});

export const overviewHistory = operation({
  method: 'GET',
  path: '/overview/history',
  summary: 'The rates of all hosts in the last minutes, for charts',
  right: 'read',
  params: NoParameters,
  query: HistoryQuery,
  body: null,
  response: History,
  answer: async ({ service, query }) => {
    const { from, to, stepMs, points } = await service.administration.overview.history(query.minutes ?? usualHistory);
    return {
      from: timeText(from),
      to: timeText(to),
      pointSeconds: stepMs / 1000,
      points: points.map((point) => Object.assign({ ...point }, { at: timeText(point.at) })),
    };
  },
});

export const deployment = operation({
  method: 'GET',
  path: '/deployment',
  summary: 'The versions that run, and how commands are split between them',
  right: 'read',
  params: NoParameters,
  query: DeploymentQuery,
  body: null,
  response: Deployment,
  answer: async ({ service, query: { minutes = usualDeployment } }) => {
    const versions = await service.administration.overview.deployment(minutes);
    return {
      minutes,
      versions: versions.map((version) => Object.assign({ ...version }, { since: optionalTime(version.since) })),
    };
  },
});

function overviewOf({ at, health, hosts, perspectives, reactions, outbox, ...rest }: ServiceOverview): Overview {
  return {
    at: timeText(at),
    status: health.status,
    checks: health.entries.map(({ name, status, description = null, data = {}, time, durationMs }) => ({
      name,
      status,
      description,
      data: { ...data },
      checkedAt: time.toISOString(),
      durationMs,
    })),
    hosts: hosts.map((host) => hostOf(host, at)),
    perspectives: perspectives.map(({ perspective, behind, oldest, stopped }) => ({
      name: perspective,
      behind,
      oldest: optionalTime(oldest),
      stopped,
    })),
    reactions: reactions.map(({ name, behind, oldest, isPaused, waiting, parked }) => ({
      name,
      behind,
      oldest: optionalTime(oldest),
      isPaused,
      waiting,
      parked,
    })),
    outbox: outbox.map(({ lane, waiting, oldest }) => ({ lane, waiting, oldest: optionalTime(oldest) })),
    now: rest.now,
    deadLetters: [...rest.deadLetters].map(([cause, count]) => ({ cause, count })),
    seals: rest.seals === null ? null : sealsOf(rest.seals),
    countLimit: rest.countLimit,
  };
}

function hostOf({ id, process, isOwn, recorded, leases }: ServiceHost, now: number): OverviewHost {
  return {
    id,
    process,
    isThis: isOwn,
    version: recorded?.version ?? null,
    svcVersion: recorded?.library ?? null,
    startedAt: recorded === null ? null : timeText(recorded.startedAt),
    seenAt: recorded === null ? null : timeText(now - recorded.seenMsAgo),
    leases: leases.slice(0, mostLeases).map(({ lane, expiresInMs }) => ({ lane, expiresInMs })),
    leaseCount: leases.length,
  };
}

function sealsOf({ last, failure, anchors }: ServiceSeals): OverviewSeals {
  return {
    checkpoint: last?.number ?? null,
    events: last?.size ?? 0,
    sealedAt: last?.time ?? null,
    failure,
    anchors: anchors.map(({ name, anchored, failure: why }) => ({ name, anchored, failure: why })),
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

function optionalTime(ms: number | null): string | null {
  return ms === null ? null : timeText(ms);
}
