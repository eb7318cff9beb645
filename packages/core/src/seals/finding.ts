import type { Uuid } from '../json/index.js';

/** How a log differs from what was sealed. */
export const TamperKind = {
  ChangedBody: 'changed-body',
  ChangedMetadata: 'changed-metadata',
  RemovedEvent: 'removed-event',
  InsertedEvent: 'inserted-event',
  SwappedOrder: 'swapped-order',
  TruncatedTail: 'truncated-tail',
  RewrittenHistory: 'rewritten-history',
  UnknownKey: 'unknown-key',
  ChangedSeal: 'changed-seal',
  RemovedSeal: 'removed-seal',
  ChangedFile: 'changed-file',
} as const;
export type TamperKind = (typeof TamperKind)[keyof typeof TamperKind];

/** The first difference between a log and its seals. */
export interface Finding {
  readonly kind: TamperKind;
  /** The event: for a removed one, its id as it was sealed. Null: the seals do not identify it. */
  readonly eventId: Uuid | null;
  /** How many events are before it in the log; null: unknown. */
  readonly index: number | null;
  /** The number of the checkpoint that covers it; null: none. */
  readonly checkpoint: number | null;
  readonly description: string;
}

const texts: Readonly<Record<TamperKind, string>> = {
  'changed-body': 'the body of the event was changed',
  'changed-metadata': 'the scope, the metadata or another property of the event was changed; its body was not',
  'removed-event': 'the event was removed',
  'inserted-event': 'the event was inserted after its neighbours had been sealed',
  'swapped-order': 'the event is at another place in the log than when it was sealed',
  'truncated-tail': 'the log ends before this event, which an anchor has',
  'rewritten-history': 'the log was rewritten and sealed again: an anchor has another checkpoint',
  'unknown-key': 'the checkpoint is signed by a key that is not trusted',
  'changed-seal': 'the seal was changed',
  'removed-seal': 'the seal of this checkpoint was removed',
  'changed-file': 'a file of the export was changed',
};

export function findingOf(
  kind: TamperKind,
  place: Pick<Finding, 'eventId' | 'index' | 'checkpoint'>,
  description: string = texts[kind],
): Finding {
  return { kind, ...place, description };
}
