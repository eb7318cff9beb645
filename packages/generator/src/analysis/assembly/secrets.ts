import type { MessageFact, ResultFact } from '../facts.js';
import type { Location } from '../locations.js';
import type { Reference, SecretPlace, TypeDraft } from '../types/index.js';
import type { Reports } from './reports.js';

/** What is stored or returned, and so must not contain a secret. */
export interface Recorded {
  /** `the event OrderPaid` */
  readonly name: string;
  readonly at: Location;
  readonly type: Pick<TypeDraft, 'references' | 'secrets'>;
}

/** The events among the messages. */
export function recordedEvents(
  messages: Iterable<MessageFact>,
  drafts: ReadonlyMap<string, TypeDraft>,
): readonly Recorded[] {
  return [...messages].flatMap(({ kind, name, typeId, at }) => {
    const type = drafts.get(typeId);
    return kind === 'command' || type === undefined ? [] : [{ name: `the event ${name}`, at, type }];
  });
}

/** A result, model or state. */
export function recordedResult(name: string, type: ResultFact, at: Location): Recorded {
  return { name, at, type };
}

/** Reports every secret in something that is stored or returned, where the secret is declared. */
export function checkSecrets(
  recorded: readonly Recorded[],
  drafts: ReadonlyMap<string, TypeDraft>,
  reports: Reports,
): void {
  for (const { name, at, type } of recorded) {
    const report = (places: readonly SecretPlace[]): void => {
      for (const place of places) reports.report(place.at ?? at, 'SVC1030', place.where, name);
    };
    report(type.secrets);
    const found = new Set(idsOf(type.references));
    // Iterating a Set also visits members added on the way.
    for (const id of found) {
      const draft = drafts.get(id);
      if (draft === undefined) continue;
      report(draft.secrets);
      for (const next of idsOf(draft.references)) found.add(next);
    }
  }
}

function idsOf(references: readonly Reference[]): string[] {
  return references.map(({ id }) => id);
}
