import type { GroupDescription, OptionDescription } from '../command-line/description.js';
import {
  archiveOption,
  databaseExitCodes,
  databaseOptions,
  inDatabase,
  keyVaultOption,
  operatorOption,
  severalDatabases,
} from '../database/description.js';
import { verify } from './verify-description.js';

const id = '01912d68-783e-7a03-8467-5661c1243ad0';

const filter: Readonly<Record<string, OptionDescription>> = {
  tenant: { value: '<id>', summary: 'records of this tenant' },
  user: { value: '<id>', summary: 'what this user did' },
  type: {
    value: '<type>',
    summary: 'an event, command or system event, such as orders.OrderCancelled',
    isRepeated: true,
  },
  stream: { value: '<id>', summary: 'records about the events of this stream, and about access to it' },
  correlation: { value: '<id>', summary: 'records of one request, and of everything that it caused' },
  message: { value: '<id>', summary: 'records about this event or command: its audit record, and its failures' },
  level: {
    value: '<level>',
    values: ['Info', 'Warning', 'Critical'],
    summary: 'Info, Warning or Critical; includes higher levels',
  },
  from: { value: '<date>', summary: 'records from this time on, such as 2026-01-01 or 2026-01-01T12:00:00Z' },
};
const readOptions = { ...keyVaultOption, ...archiveOption, ...operatorOption, ...databaseOptions };

const recorded =
  'It is recorded in the system stream, with the name of the operator and the options. If that fails, it prints nothing. Without a key vault, personal data are printed as [encrypted]. A table shows at most 60 characters of each value; --json prints all.';

export const audit: GroupDescription = {
  details: [severalDatabases],
  commands: {
    query: {
      summary: 'list the records of the audit, the newest first: what was done, by which user, when and why',
      details: [recorded],
      options: {
        ...filter,
        to: { value: '<date>', summary: 'records before this time' },
        'oldest-first': { summary: 'show the oldest first' },
        limit: { value: '<n>', summary: 'the maximum number of records, up to 1000', default: '50' },
        after: {
          value: '<token>',
          summary: 'continue after a page: the same options, with the token that the page has printed',
        },
        trace: {
          value: '<id>',
          summary: 'instead of the options above: what the request with this correlation caused, as a tree',
        },
        ...readOptions,
      },
      json: '{database, entries: [{…}], next}; with --trace {database, correlation, isComplete, roots: [{entry, caused: […]}]}',
      examples: {
        'svc audit query --user ann --from 2026-11-01': 'list what ann has done since November',
        [`svc audit query --trace ${id}`]: 'show everything that a request caused',
      },
      exitCodes: { ...databaseExitCodes, 5: 'interrupted; the search is not complete' },
      load: inDatabase(async () => (await import('./query.js')).query, {
        // A page continues in the database that it is from.
        isAboutOne: (_, options) => options.text('after') !== undefined,
      }),
    },
    tail: {
      summary: 'print new records as they are appended, until Ctrl-C',
      details: [
        'It waits while the database does not answer, and then continues: it prints each record once.',
        recorded,
      ],
      options: {
        ...filter,
        after: {
          value: '<id>',
          summary: 'begin after the record with this id, to continue where an earlier tail ended',
        },
        ...readOptions,
      },
      json: 'JSON Lines: a record in each line',
      examples: { 'svc audit tail --level Warning --json': 'follow warnings and critical records as JSON Lines' },
      exitCodes: { ...databaseExitCodes, 0: 'ended by Ctrl-C' },
      load: inDatabase(async () => (await import('./tail.js')).tail, { isAboutOne: () => true }),
    },
    show: {
      summary: 'print an event or another audit record with its body',
      details: [
        'It is recorded in the system stream, with the name of the operator. If that fails, it prints nothing. Without a key vault, personal data are printed as [encrypted].',
      ],
      arguments: {
        event: { summary: 'its id, or <stream>@<position> as svc audit query prints it' },
      },
      options: readOptions,
      json: '{database, event: {id, type, streamId, position, timestamp, scope, metadata, body, …}}',
      examples: {
        [`svc audit show ${id}`]: 'print an event by its id',
        [`svc audit show ${id}@2 --key-vault key-vault`]: 'print the event at position 2 of a stream, decrypted',
      },
      exitCodes: databaseExitCodes,
      load: inDatabase(async () => (await import('./show.js')).show, { isAboutOne: () => true }),
    },
    verify,
    prove: {
      summary: 'print a proof that the log had an event when it was sealed',
      details: ['svc audit verify --proof checks it. It is recorded with the operator: a proof contains the event.'],
      arguments: { event: { summary: 'the id of the event' } },
      options: {
        out: { value: '<file>', summary: 'write the proof to this file' },
        ...archiveOption,
        ...operatorOption,
        ...databaseOptions,
      },
      json: 'the proof; with --out {file, event}',
      examples: { [`svc audit prove ${id} --out proof.json`]: 'write the proof of an event to a file' },
      exitCodes: databaseExitCodes,
      load: inDatabase(async () => (await import('./prove.js')).prove, { isAboutOne: () => true }),
    },
    export: {
      summary: 'write all sealed events and their seals into files; run it again to continue',
      options: {
        to: { value: '<folder>', summary: 'where the files are; required' },
        ...archiveOption,
        ...operatorOption,
        ...databaseOptions,
      },
      json: '{database, export, files: [{name, events, bytes, …}]}',
      examples: { 'svc audit export --to /audit/shop': 'export the events that were sealed since the last export' },
      exitCodes: databaseExitCodes,
      load: inDatabase(async () => (await import('./export.js')).exportEvents, { isAboutOne: () => true }),
    },
    key: {
      summary: 'create a private key for seals, and print its public key',
      options: { out: { value: '<file>', summary: 'write the private key to this file instead of printing it' } },
      json: '{id, publicKey, privateKey}; with --out {id, publicKey, file}',
      examples: { 'svc audit key --out seal.pem': 'write a key to seal.pem, which only you can read' },
      exitCodes: { 0: 'done', 2: 'wrong usage, or the file cannot be written' },
      load: async () => (await import('./key.js')).createKey,
    },
  },
};
