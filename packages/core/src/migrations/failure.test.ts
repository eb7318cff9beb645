import { describe, expect, it } from 'vitest';
import { MigrationFailureReason } from '../system-events/index.js';
import { errorText, reasonName, reasonOf } from './failure.js';
import type { MigrationDatabase } from './migration-database.js';
import { MigrationFailedError } from './migration-failed-error.js';
import { SessionLostError } from './session-lost-error.js';
import { SupersededError } from './superseded-error.js';

const { Unknown, SqlError, Timeout, ColumnTypeMismatch, DataCopyFailed, SwapFailed } = MigrationFailureReason;
const classifying = (reason: MigrationFailureReason) => ({ classify: () => reason }) as unknown as MigrationDatabase;

describe('the reason of a failure', () => {
  it.each([Unknown, SqlError, Timeout, ColumnTypeMismatch])(
    'in a statement of the schema is that of the database: %s',
    (reason) => expect(reasonOf(new Error('no'), 'ddl', classifying(reason))).toBe(reason),
  );

  it.each([
    [Unknown, DataCopyFailed],
    [SqlError, DataCopyFailed],
    [Timeout, Timeout],
    [ColumnTypeMismatch, ColumnTypeMismatch],
  ])('in a copy is DataCopyFailed if the data are the cause: %s becomes %s', (reason, expected) =>
    expect(reasonOf(new Error('no'), 'copy', classifying(reason))).toBe(expected),
  );

  it.each([Unknown, SqlError, Timeout, ColumnTypeMismatch])('in a swap is SwapFailed, not %s', (reason) =>
    expect(reasonOf(new Error('no'), 'swap', classifying(reason))).toBe(SwapFailed),
  );

  it.each(Object.entries(MigrationFailureReason))('has the name %s', (name, reason) =>
    expect(reasonName(reason)).toBe(name),
  );

  it('that this version does not know has the name Unknown', () => {
    expect(reasonName(99 as MigrationFailureReason)).toBe('Unknown');
  });
});

describe('the text of an error', () => {
  it('is its message, up to 1,000 characters', () => {
    expect(errorText(new Error('no such table'))).toBe('no such table');
    expect(errorText(new Error('x'.repeat(1_000)))).toHaveLength(1_000);
    expect(errorText(new Error('x'.repeat(1_001)))).toHaveLength(1_000);
  });

  it.each(['no such table', 42, null, undefined, { message: 'no such table' }])(
    'is the same for each value that is no error: %s',
    (thrown) => expect(errorText(thrown)).toBe('Something that is not an error was thrown.'),
  );
});

describe('the errors of migrations', () => {
  it('a failed migration names the item, the reason and the cause, and says what to do', () => {
    const cause = new Error('no such table.');
    const error = new MigrationFailedError('infrastructure/events', SqlError, 'SqlError', cause);
    expect(error).toMatchObject({
      code: 'SVC_MIGRATION_FAILED',
      key: 'infrastructure/events',
      reason: SqlError,
      cause,
    });
    expect(error.message).toBe(
      'Cannot apply the migration infrastructure/events (SqlError): no such table. None of it was committed. Fix the cause, then start again; svc migrate status shows it.',
    );
  });

  it('an item that another program has taken over is named', () => {
    const error = new SupersededError('perspective/Orders');
    expect(error).toMatchObject({ code: 'SVC_MIGRATION_SUPERSEDED' });
    expect(error.message).toContain('perspective/Orders');
  });

  it('a lost session has changed nothing, and counts as an unavailable storage', () => {
    expect(new SessionLostError()).toMatchObject({ code: 'SVC_STORAGE_UNAVAILABLE', outcome: 'none' });
  });
});
