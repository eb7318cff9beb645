import type { Uuid } from '../json/index.js';
import { newId } from '../messages/index.js';
import type {
  IndexedModel,
  ModelSource,
  PerspectiveCommit,
  PerspectiveStorage,
  Progress,
  SourceKey,
  SourcePage,
} from '../storage/index.js';
import type { OpenStorage } from './storage-case.js';

/** An empty commit, for a case to extend. */
export const noChanges = { models: [], sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };

/** The first ten models of all owners. */
export const anyOwner = { offset: 0, limit: 10, owner: null, principals: null };

export async function openedPerspectives(open: OpenStorage): Promise<PerspectiveStorage> {
  return (await open()).perspectives!;
}

/** Commits a batch of the perspective `p`. */
export async function commitBatch(
  storage: PerspectiveStorage,
  from: Progress,
  changes: Partial<PerspectiveCommit> = {},
): Promise<void> {
  await storage.commitPerspective({ perspective: 'p', from, to: from.sequence + 1, ...noChanges, ...changes });
}

export function modelRecord(key: string, body: string | null, tenantId = 'a'): IndexedModel {
  return { id: key, key, owner: tenantId, body, version: 1, lastEventId: newId(), scope: { tenantId }, indexed: {} };
}

export function modelSource(id: string, streamId: Uuid, block = 0, lastEventId = newId()): ModelSource {
  return { id, streamId, block, events: 1, lastEventId };
}

/** All sources of a model of the perspective `p`, by stream and block. */
export async function allSources(storage: PerspectiveStorage, id: string, after: Uuid | null): Promise<ModelSource[]> {
  const found: ModelSource[] = [];
  let next: SourceKey | null = null;
  do {
    const page: SourcePage = await storage.readSources('p', id, after, next);
    found.push(...page.sources);
    ({ next } = page);
  } while (next !== null);
  return byStream(found);
}

export function byStream(sources: readonly ModelSource[]): ModelSource[] {
  return sources.toSorted((a, b) => (a.streamId === b.streamId ? a.block - b.block : a.streamId < b.streamId ? -1 : 1));
}
