import { Type, type Static } from 'typebox';
import { Id, Next, OptionalText, OptionalTime, Reason } from './common.js';
import { RequestedOperation } from './operations.js';

/** How far a perspective, or a segment of it, has processed the log. */
const standing = {
  sequence: Type.Number({ description: 'Its place: the sequence number up to which events are processed; -1: none.' }),
  behind: Type.Number({ description: 'The events that are not processed yet, counted up to 10,000.' }),
  oldestWaiting: OptionalTime,
  eventsPerSecond: Type.Union([Type.Number(), Type.Null()], { description: 'Null: it does not lag.' }),
  stopped: Type.Number({ description: 'The number of stopped streams.' }),
  hosts: Type.Array(Type.String(), { description: 'The hosts that process it: one for each running version.' }),
};

export const PerspectiveSummary = Type.Object(
  {
    name: Type.String(),
    version: OptionalText,
    indexed: Type.Array(Type.String(), { description: 'The indexed properties of its models.' }),
    ...standing,
    operation: Type.Union([RequestedOperation, Type.Null()], {
      description: 'The rebuild or retry that has not ended.',
    }),
  },
  { additionalProperties: false },
);
export type PerspectiveSummary = Static<typeof PerspectiveSummary>;

export const PerspectiveList = Type.Object(
  { perspectives: Type.Array(PerspectiveSummary) },
  { additionalProperties: false },
);
export type PerspectiveList = Static<typeof PerspectiveList>;

export const PerspectiveSegment = Type.Object({ segment: Type.Number(), ...standing }, { additionalProperties: false });
export type PerspectiveSegment = Static<typeof PerspectiveSegment>;

/** A stream whose events a perspective does not process, because it failed at one of them. */
export const StoppedStream = Type.Object(
  {
    streamId: Id,
    position: Type.Number({ description: 'The position of the event at which it failed.' }),
    eventId: Id,
    errorName: Type.String(),
    errorMessage: Type.String(),
  },
  { additionalProperties: false },
);
export type StoppedStream = Static<typeof StoppedStream>;

export const PerspectiveDetails = Type.Object(
  {
    perspective: PerspectiveSummary,
    segments: Type.Array(PerspectiveSegment, { description: 'Empty: it is not divided.' }),
    stoppedStreams: Type.Array(StoppedStream, { description: 'In the order of their ids.' }),
    next: Next,
  },
  { additionalProperties: false },
);
export type PerspectiveDetails = Static<typeof PerspectiveDetails>;

export const RebuildBody = Type.Object(
  {
    mode: Type.Union([Type.Literal('BlueGreen'), Type.Literal('InPlace'), Type.Literal('SelectedStreams')]),
    reason: Reason,
    streams: Type.Optional(
      Type.Array(Id, { minItems: 1, maxItems: 1000, description: 'Only with the mode SelectedStreams.' }),
    ),
    eventsPerSecond: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, description: 'The limit of the rebuild. Not with the mode InPlace.' }),
    ),
  },
  { additionalProperties: false },
);
export type RebuildBody = Static<typeof RebuildBody>;

export const RetryPerspectiveBody = Type.Object(
  {
    stream: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'Absent: all stopped streams.' })),
    reason: Reason,
  },
  { additionalProperties: false },
);
export type RetryPerspectiveBody = Static<typeof RetryPerspectiveBody>;
