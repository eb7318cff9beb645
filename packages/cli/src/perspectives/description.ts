import type { GroupDescription } from '../command-line/description.js';
import {
  databaseExitCodes,
  databaseOptions,
  inDatabase,
  operationJson,
  requestExitCodes,
  requestOptions,
  severalDatabases,
} from '../database/description.js';
import { remove } from './remove-description.js';

const perspective = { perspective: { summary: 'its name; svc perspectives list shows the names' } };

export const perspectives: GroupDescription = {
  details: [
    'A running host does the work, because only the service has the code; svc stores the request in its database. If that host is killed, another host or the next start resumes the work. Ctrl-C cancels the request and waits until it has ended; a second Ctrl-C exits without waiting. If the command itself is killed, the request continues.',
    severalDatabases,
  ],
  commands: {
    list: {
      summary: 'show each perspective: its place in the log, its lag, its stopped streams and its version',
      details: ['Also shows all open requests of operators. It needs no running service.'],
      options: databaseOptions,
      json: '{database, perspectives: [{name, sequence, behind, oldestWaiting, eventsPerSecond, hosts, version, indexed, stopped: […], segments: […]}], operations: […]}',
      examples: {
        'svc perspectives list': 'show the perspectives of the service in this folder',
        'svc perspectives list --database postgres://localhost/shop --json':
          'the same of a PostgreSQL database, as JSON',
      },
      exitCodes: databaseExitCodes,
      load: inDatabase(async () => (await import('./list.js')).list),
    },
    rebuild: {
      summary: 'rebuild the models of a perspective from all events',
      details: [
        'BlueGreen fills new tables, which replace the serving ones at the end. InPlace empties the table and fills it again. SelectedStreams rebuilds the models with events of the streams given by --stream.',
        'BlueGreen does not replace the serving models, and ends with exit code 1, if it fails at streams at which the serving models have not stopped. --accept-failures replaces them anyway.',
      ],
      arguments: perspective,
      options: {
        mode: {
          value: '<mode>',
          values: ['BlueGreen', 'InPlace', 'SelectedStreams'],
          summary: 'BlueGreen (default), InPlace or SelectedStreams (default with --stream)',
        },
        stream: { value: '<id>', summary: 'rebuild only the models with events of this stream', isRepeated: true },
        'events-per-second': {
          value: '<n>',
          summary: 'limit the replay, to leave capacity for other work; not with InPlace',
        },
        'accept-failures': {
          summary:
            'replace the serving models although streams failed at which these have not stopped; only with BlueGreen',
        },
        detach: { summary: 'exit as soon as a host has accepted the request' },
        ...requestOptions,
        ...databaseOptions,
      },
      json: operationJson,
      examples: {
        'svc perspectives rebuild OrderSummary': 'rebuild it in new tables while the old ones serve',
        'svc perspectives rebuild OrderSummary --events-per-second 2000 --detach':
          'rebuild it slowly in the background',
      },
      exitCodes: requestExitCodes,
      load: inDatabase(async () => (await import('./rebuild.js')).rebuild),
    },
    retry: {
      summary: 'resume the stopped streams of a perspective, after its code is fixed',
      arguments: perspective,
      options: {
        stream: { value: '<id>', summary: 'resume only this stream' },
        ...requestOptions,
        ...databaseOptions,
      },
      json: operationJson,
      examples: { 'svc perspectives retry OrderSummary': 'resume all stopped streams of OrderSummary' },
      exitCodes: requestExitCodes,
      load: inDatabase(async () => (await import('./retry.js')).retry),
    },
    remove,
    cancel: {
      summary: 'cancel a request, record the operator, and wait until the request has ended',
      arguments: { request: { summary: 'its id; svc perspectives list shows the ids' } },
      options: { ...requestOptions, ...databaseOptions },
      json: operationJson,
      examples: {
        'svc perspectives cancel 01912d68-783e-7a03-8467-5661c1243ad0': 'cancel a rebuild that was detached',
      },
      exitCodes: databaseExitCodes,
      load: inDatabase(async () => (await import('./cancel.js')).cancel, { isAboutOne: () => true }),
    },
  },
};
