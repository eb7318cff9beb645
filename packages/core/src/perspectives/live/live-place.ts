import {
  compareColumnValues,
  type IndexedType,
  type ModelPlace,
  type ModelSort,
  type Progress,
  type StoredModel,
} from '../../storage/index.js';
import { placeOf } from '../read/model-place.js';
import { readPageToken, writePageToken } from '../read/page-token.js';
import type { LiveQuery } from './live-query.js';

/** How far a client of a live query is. It is the same on every host. */
export interface LivePlace {
  /** The tables. */
  readonly generation: string;
  /** Their revision: the client has every change up to it. */
  readonly revision: number;
  /** The last model of the client's page, if the page was full: the client has no model behind it. Null: it has all models of the query. */
  readonly end: ModelPlace | null;
}

/** What places of one query need to know of its perspective. */
export interface PlacedList {
  readonly name: string;
  readonly types: ReadonlyMap<string, IndexedType>;
  readonly query: LiveQuery;
}

/** Clients send a place as a header, so a longer one is not given to them. */
export const longestPlace = 1_024;
const placeText = /^([0-9a-f-]{1,64})\.(\d{1,15})(?:\.([\w-]{1,1024}))?$/;

/** Null: it would be too long. */
export function writePlace({ generation, revision, end }: LivePlace, { name, query }: PlacedList): string | null {
  const start = `${generation}.${revision}`;
  const text = end === null ? start : `${start}.${writePageToken(name, query.sort, query.where, end)}`;
  return text.length > longestPlace ? null : text;
}

/** Null: the text is no place of this list. */
export function readPlace(text: string, { name, types, query }: PlacedList): LivePlace | null {
  const [, generation, revision, token] = placeText.exec(text) ?? [];
  if (generation === undefined) return null;
  const end = token === undefined ? null : readPageToken(name, query.sort, query.where, types, token);
  return end === undefined ? null : { generation, revision: Number(revision), end };
}

/**
 * The place of models that were read after a progress. If one of them is newer, all of its commit was read, and everything before it. Null: the
 * perspective is divided, so the revisions of models do not order their changes.
 */
export function placeOfModels(
  { generation, revision, segments }: Progress,
  models: readonly StoredModel[],
  { types, query }: PlacedList,
): LivePlace | null {
  if (generation === undefined || segments !== undefined) return null;
  const last = models.length < query.limit ? undefined : models.at(-1);
  return {
    generation,
    revision: models.reduce((newest, model) => Math.max(newest, model.revision), revision),
    end: last === undefined ? null : placeOf(last, query.sort, types, query.owner === null),
  };
}

/** Whether a client at a place has a model that has not changed since: it was on its page. */
export function hasUnchanged({ end }: LivePlace, model: StoredModel, { types, query }: PlacedList): boolean {
  return end === null || compare(placeOf(model, query.sort, types, query.owner === null), end, query.sort, types) <= 0;
}

function compare(a: ModelPlace, b: ModelPlace, { column, descending }: ModelSort, types: PlacedList['types']): number {
  const ascending =
    compareColumnValues(types.get(column)!, a.value, b.value) ||
    compareColumnValues('text', a.key, b.key) ||
    compareColumnValues('text', a.owner ?? '', b.owner ?? '');
  return descending ? -ascending : ascending;
}
