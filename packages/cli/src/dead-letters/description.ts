import type { GroupDescription, OptionDescription } from '../command-line/description.js';
import {
  databaseExitCodes,
  databaseOptions,
  inDatabase,
  operationJson,
  operatorOption,
  pageOptions,
  requestExitCodes,
  requestOptions,
  severalDatabases,
} from '../database/description.js';

const id = '01912d68-783e-7a03-8467-5661c1243ad0';
const direction: OptionDescription = {
  value: '<direction>',
  values: ['incoming', 'outgoing', 'scheduled'],
  summary: 'incoming or outgoing messages between hosts, or scheduled commands',
};
const cause: OptionDescription = { value: '<cause>', summary: 'only those with this cause, such as UnprovenOrigin' };
const deadLetter = { id: { summary: 'its id; svc dead-letters list shows the ids' } };
const hasId = (positionals: readonly string[]): boolean => positionals.length > 0;

export const deadLetters: GroupDescription = {
  details: [
    'A running host of the service replays and discards; svc stores the request in its database. show, replay and discard are recorded in the system stream with the name of the operator. If that fails, show prints nothing. Ctrl-C stops a replay or discard of several dead letters after the current one.',
    severalDatabases,
  ],
  commands: {
    list: {
      summary: 'list dead-lettered messages and their causes, without bodies',
      options: { direction, cause, ...pageOptions('dead letters', 50), ...databaseOptions },
      json: '{database, deadLetters: [{id, direction, cause, destination, origin, provenOrigin, messageId, messageType, streamId, errorName, attempts, firstFailedAt, lastFailedAt}], next}',
      examples: { 'svc dead-letters list --direction incoming': 'list the messages that could not be processed' },
      exitCodes: databaseExitCodes,
      load: inDatabase(async () => (await import('./list.js')).list),
    },
    show: {
      summary: 'show a dead letter with its body, which may contain private data',
      arguments: deadLetter,
      options: { ...operatorOption, ...databaseOptions },
      json: '{id, direction, cause, destination, origin, errorName, errorMessage, attempts, firstFailedAt, lastFailedAt, message: {…, body}}',
      examples: { [`svc dead-letters show ${id}`]: 'show it, and record who saw it' },
      exitCodes: databaseExitCodes,
      load: inDatabase(async () => (await import('./show.js')).show, { isAboutOne: () => true }),
    },
    replay: {
      summary: 'deliver or process a message again, at the end of its stream',
      arguments: deadLetter,
      options: {
        all: { summary: 'instead of an id: all dead letters, or those with the given --direction or --cause' },
        direction,
        cause,
        ...requestOptions,
        ...databaseOptions,
      },
      json: operationJson,
      examples: {
        [`svc dead-letters replay ${id}`]: 'process one message again',
        'svc dead-letters replay --all --direction outgoing': 'send all outgoing messages again',
      },
      exitCodes: requestExitCodes,
      load: inDatabase(async () => (await import('./replay.js')).replay, { isAboutOne: hasId }),
    },
    discard: {
      summary: 'delete a dead letter, and record why',
      arguments: deadLetter,
      options: {
        all: { summary: 'instead of an id: all dead letters with the given --cause' },
        cause,
        reason: { value: '<text>', summary: 'why, up to 500 characters; required' },
        ...requestOptions,
        ...databaseOptions,
      },
      json: operationJson,
      examples: {
        [`svc dead-letters discard ${id} --reason "test message"`]: 'delete one',
        'svc dead-letters discard --all --cause Expired --reason "too old"': 'delete all that have expired',
      },
      exitCodes: requestExitCodes,
      load: inDatabase(async () => (await import('./discard.js')).discard, { isAboutOne: hasId }),
    },
  },
};
