import { expect, it } from 'vitest';
import { newId } from '../messages/index.js';
import type { RebuildOptions } from '../perspectives/index.js';
import type { OperationRecord } from '../storage/index.js';
import { OperationKind } from './operation-kind.js';
import { perspectiveOperations } from './perspective-operations.js';

it.each([
  ['starts from the beginning when it is requested', { attempts: 1, progress: null }, false],
  ['resumes when its host was lost', { attempts: 2, progress: null }, true],
  ['resumes when its host stopped', { attempts: 1, progress: { done: 1 } }, true],
])('a rebuild %s', async (_what, before, resume) => {
  const rebuilds: RebuildOptions[] = [];
  const handlers = new Map(
    perspectiveOperations({
      canRebuild: () => Promise.resolve(true),
      rebuild: (_name, options) => {
        rebuilds.push(options);
        return Promise.resolve({ streamsProcessed: 0, eventsReplayed: 0 });
      },
      readStopped: () => Promise.resolve([]),
    }),
  );
  const operation: OperationRecord = {
    id: newId(),
    kind: OperationKind.RebuildPerspective,
    target: 'Orders',
    arguments: {},
    requestedBy: 'ann',
    state: 'running',
    requestedAt: 0,
    startedAt: 0,
    finishedAt: null,
    isHeld: true,
    result: null,
    error: null,
    ...before,
  };
  const control = { signal: new AbortController().signal, progress: () => {} };
  await handlers.get(OperationKind.RebuildPerspective)!.run(operation, control);
  expect(rebuilds).toMatchObject([{ resume }]);
});
