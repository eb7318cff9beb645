import { newId } from '../../messages/index.js';
import type {
  IndexedModel,
  InMemoryPerspectives,
  PerspectiveCommit,
  PerspectiveStorage,
  Progress,
} from '../../storage/index.js';

/** An empty commit, for a test to extend. */
export const noChanges = { models: [], sources: [], rewound: [], snapshots: [], stopped: [], resumed: [] };

/** Returns a model to store, with defaults for the fields that a test omits. */
export function indexedModel(key: string, fields: Partial<IndexedModel> = {}): IndexedModel {
  return {
    id: key,
    key,
    owner: '',
    scope: null,
    body: '{}',
    version: 1,
    lastEventId: newId(),
    indexed: {},
    ...fields,
  };
}

/** Commits changes of a perspective, by default to its serving tables and up to the next event. Returns the previous progress. */
export async function commitChanges(
  perspectives: PerspectiveStorage,
  perspective: string,
  changes: Partial<PerspectiveCommit> = {},
): Promise<Progress> {
  const from = await perspectives.readProgress(changes.tables ?? perspective);
  await perspectives.commitPerspective({ ...noChanges, perspective, from, to: from.sequence + 1, ...changes });
  return from;
}

/** Returns the commits that succeed from now on. `before` runs before each. */
export function observeCommits(
  perspectives: InMemoryPerspectives,
  before: (commit: PerspectiveCommit) => void = () => {},
): PerspectiveCommit[] {
  const commits: PerspectiveCommit[] = [];
  const commit = perspectives.commitPerspective.bind(perspectives);
  perspectives.commitPerspective = (batch) => {
    before(batch);
    commit(batch);
    commits.push(batch);
  };
  return commits;
}

/** Like `observeCommits`, for commits that wait for `before`. */
export function observeWaitingCommits(
  perspectives: InMemoryPerspectives,
  before: (commit: PerspectiveCommit) => void | Promise<void>,
): PerspectiveCommit[] {
  const commits: PerspectiveCommit[] = [];
  const commit = perspectives.commitPerspective.bind(perspectives);
  const commitPerspective = async (batch: PerspectiveCommit): Promise<void> => {
    await before(batch);
    commit(batch);
    commits.push(batch);
  };
  Object.assign<PerspectiveStorage, Partial<PerspectiveStorage>>(perspectives, { commitPerspective });
  return commits;
}
