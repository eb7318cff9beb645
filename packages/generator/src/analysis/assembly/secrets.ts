import type { MessageFact, ResultFact } from '../facts.js';
import type { Location } from '../locations.js';
import type { Reference, TypeDraft } from '../types/index.js';
import type { Reports } from './reports.js';

/** What is stored or returned, and so must not contain a secret. */
export interface Recorded {
  /** `the event OrderPaid` */
  readonly name: string;
  readonly at: Location;
  readonly type: Pick<TypeDraft, 'references' | 'secrets' | 'erasable'>;
  /** Whether it is read from the database after a subject was erased. */
  readonly isReadLater: boolean;
}

/** The events among the messages. */
export function recordedEvents(
  messages: Iterable<MessageFact>,
  drafts: ReadonlyMap<string, TypeDraft>,
): readonly Recorded[] {
  return [...messages].flatMap(({ kind, name, typeId, at }) => {
    const type = drafts.get(typeId);
    return kind === 'command' || type === undefined ? [] : [{ name: `the event ${name}`, at, type, isReadLater: true }];
  });
}

/** A result, model or state. */
export function recordedResult(name: string, type: ResultFact, at: Location, isReadLater: boolean): Recorded {
  return { name, at, type, isReadLater };
}

/** Reports every secret in something that is stored or returned, and personal data that cannot be erased, where they are declared. */
export function checkSecrets(
  recorded: readonly Recorded[],
  drafts: ReadonlyMap<string, TypeDraft>,
  reports: Reports,
): void {
  for (const { name, at, type, isReadLater } of recorded) {
    const report = ({ secrets, erasable }: Pick<TypeDraft, 'secrets' | 'erasable'>): void => {
      for (const place of secrets) reports.report(place.at ?? at, 'SVC1030', place.where, name);
      for (const place of isReadLater ? erasable : []) reports.report(place.at ?? at, 'SVC1041', place.where, name);
    };
    report(type);
    const found = new Set(idsOf(type.references));
    // Iterating a Set also visits members added on the way.
    for (const id of found) {
      const draft = drafts.get(id);
      if (draft === undefined) continue;
      report(draft);
      for (const next of idsOf(draft.references)) found.add(next);
    }
  }
}

function idsOf(references: readonly Reference[]): string[] {
  return references.map(({ id }) => id);
}
