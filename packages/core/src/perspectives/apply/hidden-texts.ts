import { hideSecrets } from '../../errors/index.js';
import { personalTextsIn } from '../../json/index.js';
import type { StoredEvent } from '../../storage/index.js';
import type { NamedPerspective } from '../perspective.js';
import { readStoredModel } from '../stored-model.js';
import { UnreadableEvent } from './unreadable-event.js';

/** Removes the personal texts of events and of their models from an error of a perspective: it is stored in clear, and outlives an erasure. */
export function withoutPersonalTexts(
  error: unknown,
  { personalTextsOf, writeModel }: NamedPerspective,
  events: readonly StoredEvent[],
  models: readonly (object | null)[],
): unknown {
  if (personalTextsOf === undefined) return error;
  const payloads = events.map(({ envelope }) => envelope.payload);
  const ofEvents = payloads.flatMap((payload) => (payload instanceof UnreadableEvent ? [] : personalTextsOf(payload)));
  const ofModels = models.flatMap((model) => (model === null ? [] : personalTextsIn(model, writeModel)));
  return hideSecrets(error, [...ofEvents, ...ofModels]);
}

/** A stored model; null: there is none, or it cannot be read, so that the perspective has not seen it either. */
export function readableModel(named: NamedPerspective, body: string | null): object | null {
  try {
    return body === null ? null : readStoredModel(named, body);
  } catch {
    return null;
  }
}
