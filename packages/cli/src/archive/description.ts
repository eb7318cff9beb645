import type { CommandDescription } from '../command-line/description.js';
import { databaseExitCodes, inDatabase, operatorOption, ownerOptions } from '../database/description.js';

export const archive: CommandDescription = {
  details: [
    'The events stay in the log: services that are given the folder read them as before. The database keeps their ids, streams, positions and times.',
    'A file is written, read back and compared with the database. Only then are the bodies in it removed, in one transaction with the record of the file. If the command is interrupted, run it again: it continues after the last recorded file. It ends at events that a perspective has not processed, or that wait in the outbox.',
    "Give all hosts the folder first: postgres({ archive: folderArchive('<folder>') }). Back up the folder with the database. In a database with two roles, the owner archives.",
  ],
  options: {
    before: {
      value: '<date>',
      summary: 'archive the events before this date, in the order of the log; required',
    },
    to: { value: '<folder>', summary: 'where the files are; the same folder each time; required' },
    ...operatorOption,
    ...ownerOptions,
  },
  json: '{database, archive, files: [{name, events, bytes, …}], unused: […]}',
  examples: {
    'svc archive --before 2026-01-01 --to /backups/shop': 'archive the events of 2025 and earlier',
    'svc archive --before 2026-01-01T12:00:00Z --to /backups/shop --json': 'the same with a time, as JSON',
  },
  exitCodes: databaseExitCodes,
  load: inDatabase(async () => (await import('./archive.js')).archive, { asOwner: true }),
};
