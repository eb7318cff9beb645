/** The state of the service now and in the last hour. */
import { Type, type Static } from 'typebox';
import { databaseQuery, Id, OptionalNumber, OptionalText, OptionalTime, Time } from './common.js';

const exact = { additionalProperties: false } as const;

const Status = Type.Union([Type.Literal('Healthy'), Type.Literal('Degraded'), Type.Literal('Unhealthy')]);

const Count = Type.Integer({ minimum: 0 });

/** A health check of the host that answers. */
export const OverviewCheck = Type.Object(
  {
    name: Type.String(),
    status: Status,
    description: OptionalText,
    data: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])),
    checkedAt: Time,
    durationMs: Type.Number(),
  },
  exact,
);
export type OverviewCheck = Static<typeof OverviewCheck>;

/** The commands of some hosts in some time. */
const ratesOf = {
  commandsPerSecond: Type.Number(),
  rejectedPerSecond: Type.Number({
    description: 'Commands that a rule of the service rejected, conflicts, cancelled commands.',
  }),
  failedPerSecond: Type.Number({
    description: 'Commands that failed because of a fault, or because the database was unavailable.',
  }),
  p50Ms: Type.Union([Type.Number(), Type.Null()], {
    description: 'Half of the commands took at most this long; null: there was none.',
  }),
  p99Ms: OptionalNumber,
};

export const Rates = Type.Object(ratesOf, exact);
export type Rates = Static<typeof Rates>;

/** A lease: work that one host does at a time. */
export const OverviewLease = Type.Object({ lane: Type.String(), expiresInMs: Type.Number() }, exact);
export type OverviewLease = Static<typeof OverviewLease>;

/** A running host that serves the console, or that holds a lease. */
export const OverviewHost = Type.Object(
  {
    id: Id,
    process: Type.Union([Type.String(), Type.Null()], { description: 'The machine and the number of the process.' }),
    isThis: Type.Boolean({ description: 'Whether it is the host that answers.' }),
    version: Type.Union([Type.String(), Type.Null()], {
      description: 'The version of the service; null: it is not known.',
    }),
    svcVersion: Type.Union([Type.String(), Type.Null()], { description: 'Null: the host records no activity.' }),
    startedAt: OptionalTime,
    seenAt: OptionalTime,
    leases: Type.Array(OverviewLease, { description: 'At most 100.' }),
    leaseCount: Count,
  },
  exact,
);
export type OverviewHost = Static<typeof OverviewHost>;

const lag = {
  name: Type.String(),
  behind: Type.Integer({ minimum: 0, description: 'Events that it has not processed, counted up to countLimit.' }),
  oldest: Type.Union([Time, Type.Null()], { description: 'When the first of them happened; null: there is none.' }),
};

export const PerspectiveLag = Type.Object({ ...lag, stopped: Count }, exact);
export type PerspectiveLag = Static<typeof PerspectiveLag>;

export const ReactionLag = Type.Object({ ...lag, isPaused: Type.Boolean(), waiting: Count, parked: Count }, exact);
export type ReactionLag = Static<typeof ReactionLag>;

/** Messages that wait: for the system stream, or for other hosts. */
export const OutboxLag = Type.Object(
  {
    lane: Type.Union([Type.Literal('system'), Type.Literal('transport')]),
    waiting: Type.Integer({ minimum: 0, description: 'Counted up to countLimit.' }),
    oldest: OptionalTime,
  },
  exact,
);
export type OutboxLag = Static<typeof OutboxLag>;

export const DeadLetterCount = Type.Object({ cause: Type.String(), count: Count }, exact);
export type DeadLetterCount = Static<typeof DeadLetterCount>;

export const OverviewSeals = Type.Object(
  {
    checkpoint: Type.Union([Count, Type.Null()], {
      description: 'The number of the last checkpoint; null: there is none.',
    }),
    events: Type.Integer({ minimum: 0, description: 'How many events it covers.' }),
    sealedAt: OptionalTime,
    failure: Type.Union([Type.String(), Type.Null()], {
      description: 'Why this host cannot seal; null: it can, or another host seals.',
    }),
    anchors: Type.Array(Type.Object({ name: Type.String(), anchored: OptionalNumber, failure: OptionalText }, exact)),
  },
  exact,
);
export type OverviewSeals = Static<typeof OverviewSeals>;

export const Overview = Type.Object(
  {
    at: Time,
    status: Status,
    checks: Type.Array(OverviewCheck),
    hosts: Type.Array(OverviewHost, { description: 'At most 200.' }),
    now: Type.Union([Rates, Type.Null()], {
      description: 'In the last half minute; null: no host records its activity.',
    }),
    perspectives: Type.Array(PerspectiveLag),
    reactions: Type.Array(ReactionLag),
    outbox: Type.Array(OutboxLag),
    deadLetters: Type.Array(DeadLetterCount, {
      description: 'By cause, without causes that have none. Counted up to countLimit.',
    }),
    seals: Type.Union([OverviewSeals, Type.Null()], { description: 'Null: the log is not sealed.' }),
    countLimit: Type.Integer({ description: 'Counts end here: there may be more.' }),
  },
  exact,
);
export type Overview = Static<typeof Overview>;

export const OverviewQuery = Type.Object(databaseQuery, exact);
export type OverviewQuery = Static<typeof OverviewQuery>;

export const HistoryQuery = Type.Object(
  {
    ...databaseQuery,
    minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, default: 60, description: 'Default: 60.' })),
  },
  exact,
);
export type HistoryQuery = Static<typeof HistoryQuery>;

export const HistoryPoint = Type.Object({ at: Time, ...ratesOf }, exact);
export type HistoryPoint = Static<typeof HistoryPoint>;

/** The rates of all hosts over time, for charts. The points have equal distances, even where no host has recorded. */
export const History = Type.Object(
  {
    from: Time,
    to: Time,
    pointSeconds: Type.Integer({ minimum: 1, description: 'The distance of two points.' }),
    points: Type.Array(HistoryPoint, { description: 'The oldest first. The last one is complete.' }),
  },
  exact,
);
export type History = Static<typeof History>;

export const DeploymentQuery = Type.Object(
  {
    ...databaseQuery,
    minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 60, default: 5, description: 'Default: 5.' })),
  },
  exact,
);
export type DeploymentQuery = Static<typeof DeploymentQuery>;

/** A version of the service that runs, or ran in these minutes. */
export const DeployedVersion = Type.Object(
  {
    version: OptionalText,
    hosts: Type.Integer({ minimum: 0, description: 'How many hosts run it now.' }),
    since: Type.Union([Time, Type.Null()], {
      description: 'When the first of these hosts started; null: none runs it now.',
    }),
    commands: Count,
    share: Type.Number({ minimum: 0, maximum: 1, description: 'Its part of the commands of all versions.' }),
    ...ratesOf,
  },
  exact,
);
export type DeployedVersion = Static<typeof DeployedVersion>;

/** The versions that run, and how commands are split between them, as measured. */
export const Deployment = Type.Object(
  {
    minutes: Type.Integer(),
    versions: Type.Array(DeployedVersion, { description: 'The largest share first.' }),
  },
  exact,
);
export type Deployment = Static<typeof Deployment>;
