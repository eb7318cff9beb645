import { expect, it } from 'vitest';
import { ArchiveDamagedError, ArchiveMissingError, ArchiveRefusedError } from './archive-error.js';

const file = { name: 'events-1.jsonl.gz' };

it('names a damaged file, its place, and the cause of the failure', () => {
  const cause = new Error('incorrect header check');
  const error = new ArchiveDamagedError(file, '/archive', 'its content is not an archive of events', cause);
  expect(error).toMatchObject({ name: 'ArchiveDamagedError', code: 'SVC_ARCHIVE_DAMAGED', file: file.name });
  expect(error.cause).toBe(cause);
  expect(error.message).toContain('"events-1.jsonl.gz" in /archive: its content is not an archive of events.');
});

it('names a file for which the storage has no archive', () => {
  const error = new ArchiveMissingError(file);
  expect(error).toMatchObject({ name: 'ArchiveMissingError', code: 'SVC_ARCHIVE_MISSING', file: file.name });
  expect(error.message).toContain('"events-1.jsonl.gz": the storage has no archive');
});

it('says why events must not be archived', () => {
  const error = new ArchiveRefusedError('a perspective is behind.');
  expect(error).toMatchObject({ name: 'ArchiveRefusedError', code: 'SVC_ARCHIVE_REFUSED' });
  expect(error.message).toBe('Cannot archive more events: a perspective is behind.');
});
