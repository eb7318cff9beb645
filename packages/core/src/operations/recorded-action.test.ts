import { describe, expect, it } from 'vitest';
import { ServiceError } from '../errors/index.js';
import type { SystemEvent } from '../messages/index.js';
import { currentSecurityContext } from '../security/index.js';
import { OperationEnded, OperationStarted } from '../system-events/index.js';
import { OperatorActionKind, recordedAction } from './recorded-action.js';

/** Records emitted events and their actor. `failsAt` is the number of the event that cannot be emitted. */
class NotingEmitter {
  readonly emitted: (OperationStarted | OperationEnded)[] = [];
  readonly emittedBy: unknown[] = [];
  readonly #failsAt: number;

  constructor(failsAt = 0) {
    this.#failsAt = failsAt;
  }

  emit(event: SystemEvent): Promise<void> {
    if (this.emitted.push(event as OperationStarted) === this.#failsAt) return Promise.reject(new Error('no room'));
    this.emittedBy.push(currentSecurityContext()?.scope);
    return Promise.resolve();
  }
}

const action = {
  kind: OperatorActionKind.RollBackMigration,
  target: 'perspective/Orders',
  arguments: {},
  requestedBy: 'ann',
} as const;
const about = { kind: 'migrate.rollback', target: 'perspective/Orders', requestedBy: 'ann' };

describe('an action of an operator', () => {
  it('runs between its two records, which have the scope of the operator', async () => {
    const emitter = new NotingEmitter();
    const recordsSoFar = await recordedAction(emitter, action, () => Promise.resolve(emitter.emitted.length));
    expect(recordsSoFar).toBe(1);
    const [started, ended] = emitter.emitted;
    expect(started).toBeInstanceOf(OperationStarted);
    expect(started).toMatchObject({ ...about, arguments: {}, attempt: 1 });
    expect(ended).toBeInstanceOf(OperationEnded);
    expect(ended).toMatchObject({ ...about, operationId: started!.operationId, outcome: 'done' });
    expect(emitter.emittedBy).toEqual([{ userId: 'ann' }, { userId: 'ann' }]);
  });

  it('does not run when its start cannot be recorded', async () => {
    let hasRun = false;
    const acting = recordedAction(new NotingEmitter(1), action, () => Promise.resolve((hasRun = true)));
    await expect(acting).rejects.toMatchObject({
      code: 'SVC_OPERATION_NOT_RECORDED',
      message:
        'Nothing was done: migrate.rollback by ann could not be recorded in the system stream. Error: no room Grant write access to svc_outbox, then run the command again.',
    });
    expect(hasRun).toBe(false);
  });

  it('withholds its result if its end cannot be recorded, and reports that it was done', async () => {
    const acting = recordedAction(new NotingEmitter(2), action, () => Promise.resolve('private'));
    await expect(acting).rejects.toMatchObject({
      code: 'SVC_OPERATION_NOT_RECORDED',
      message: expect.stringMatching(/^The action was done: .* The system stream contains its start\.$/) as string,
    });
  });

  it.each([0, 2])('that fails throws its own error, whether or not its end can be recorded (%i)', async (failsAt) => {
    const emitter = new NotingEmitter(failsAt);
    const failure = new ServiceError('SVC_ROLLBACK_REFUSED', 'No backup at postgres://ann:hunter2@db/orders.');
    await expect(recordedAction(emitter, action, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(emitter.emitted[1]).toMatchObject({ ...about, outcome: 'failed' });
    expect((emitter.emitted[1] as OperationEnded).error).toContain('No backup at postgres://');
    expect((emitter.emitted[1] as OperationEnded).error).not.toContain('hunter2');
  });
});
