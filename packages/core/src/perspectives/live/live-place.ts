import type { Progress, StoredModel } from '../../storage/index.js';

/** How far a client of a live query is: which tables, and their revision. It is the same on every host. */
export interface LivePlace {
  readonly generation: string;
  readonly revision: number;
}

const placeText = /^([0-9a-f-]{1,64})\.(\d{1,15})$/;

export function writePlace({ generation, revision }: LivePlace): string {
  return `${generation}.${revision}`;
}

/** Null: the text is no place, or that of another service. */
export function readPlace(text: string): LivePlace | null {
  const [, generation, revision] = placeText.exec(text) ?? [];
  return generation === undefined ? null : { generation, revision: Number(revision) };
}

/**
 * The place of models that were read after a progress. If one of them is newer, all of its commit was read, and everything before it. Null: the
 * perspective is divided, so the revisions of models do not order their changes.
 */
export function placeOfModels(
  { generation, revision, segments }: Progress,
  models: readonly Pick<StoredModel, 'revision'>[],
): LivePlace | null {
  if (generation === undefined || segments !== undefined) return null;
  return { generation, revision: models.reduce((newest, model) => Math.max(newest, model.revision), revision) };
}
