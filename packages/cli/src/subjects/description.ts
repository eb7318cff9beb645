import type { CommandDescription, GroupDescription } from '../command-line/description.js';
import {
  archiveOption,
  databaseExitCodes,
  databaseOptions,
  inDatabase,
  keyVaultOption,
  operationJson,
  operatorOption,
  requestExitCodes,
  requestOptions,
  severalDatabases,
} from '../database/description.js';

const allTenants = 'A subject belongs to no tenant: the command concerns the records of all tenants that have this id.';

const subjectArgument = { subject: { summary: 'the id of the person' } };

export const erase: CommandDescription = {
  details: [
    'A running host destroys the key of the subject: from then on, its data read as null everywhere. The host also deletes its snapshots, results and dead letters, rebuilds its models, and records SubjectErased. This cannot be undone.',
    'If the host is lost, another one completes the erasure. A backup contains the keys that existed when it was made: after you restore one, erase again what was erased since.',
    'A subject that never had a key is rejected: the database has no personal data of it. A subject that was erased is accepted, and erased again. With several databases, it is enough that one of them knows the subject.',
    allTenants,
    severalDatabases,
  ],
  arguments: subjectArgument,
  options: {
    reason: { value: '<text>', summary: 'why, up to 500 characters; it is recorded; required' },
    ...requestOptions,
    ...databaseOptions,
  },
  json: operationJson,
  examples: { 'svc erase customer-1 --reason "request of 2026-11-02"': 'erase the personal data of customer-1' },
  exitCodes: requestExitCodes,
  load: inDatabase(async () => (await import('./erase.js')).erase, { isEnoughInOne: true }),
};

export const subject: GroupDescription = {
  details: [severalDatabases],
  commands: {
    export: {
      summary: 'print all personal data of a subject: events, commands, scheduled commands and dead letters',
      details: [
        'The output is JSON, with and without --json. The export is recorded with the name of the operator.',
        allTenants,
      ],
      arguments: subjectArgument,
      options: { ...keyVaultOption, ...archiveOption, ...operatorOption, ...databaseOptions },
      json: '{subject, database, events: […], scheduled: […], deadLetters: […]}',
      examples: { 'svc subject export customer-1 --key-vault key-vault': 'print the data of customer-1, decrypted' },
      exitCodes: databaseExitCodes,
      load: inDatabase(async () => (await import('./subject.js')).exportSubject),
    },
  },
};
