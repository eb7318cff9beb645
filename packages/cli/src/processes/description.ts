import type { GroupDescription } from '../command-line/description.js';
import {
  archiveOption,
  databaseExitCodes as exitCodes,
  databaseOptions,
  inDatabase,
  pageOptions,
  severalDatabases,
} from '../database/description.js';

export const processes: GroupDescription = {
  details: [
    'A process runs as a reaction: svc reactions shows its lag, and retries, skips, pauses and resumes it.',
    severalDatabases,
  ],
  commands: {
    list: {
      summary: 'show the instances of processes in the order of their start',
      options: {
        open: { summary: 'only those that have not completed' },
        ...pageOptions('instances', 50),
        ...databaseOptions,
      },
      json: '{database, instances: [{process, key, tenant, streamId, state, events, ignored, startedAt, lastEventAt}], next}',
      examples: { 'svc processes list --open': 'show the instances that have not completed' },
      exitCodes,
      load: inDatabase(async () => (await import('./list.js')).list),
    },
    show: {
      summary: 'show the history of an instance: each event with its cause, and what the process did',
      arguments: {
        process: { summary: 'the name of the process' },
        key: { summary: 'the key of the instance; svc processes list shows both' },
      },
      options: {
        tenant: { value: '<id>', summary: 'the tenant of the instance (default: none)' },
        ...archiveOption,
        ...databaseOptions,
      },
      json: '{process, key, tenant, steps: [{kind, at, correlationId, event, actions}]}',
      examples: { 'svc processes show Checkout order-1 --tenant acme': 'show what the checkout of order-1 did' },
      exitCodes,
      load: inDatabase(async () => (await import('./show.js')).show, { isAboutOne: () => true }),
    },
  },
};
