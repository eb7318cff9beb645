import type { GroupDescription } from '../command-line/description.js';
import {
  databaseExitCodes as exitCodes,
  databaseOptions,
  inDatabase,
  operatorOption,
  pageOptions,
  severalDatabases,
} from '../database/description.js';

const id = '01912d68-783e-7a03-8467-5661c1243ad0';
const scheduled = { id: { summary: 'its id; svc schedule list shows the ids' } };
const changeOptions = { ...operatorOption, ...databaseOptions };
const isAboutOne = (): boolean => true;

export const schedule: GroupDescription = {
  details: [
    'cancel and run change the database themselves; no host needs to run. Both are recorded in the system stream with the name of the operator. A command that a host runs at the moment can be cancelled: then nothing of it is committed. A recurring command cannot be cancelled: remove @recurring from its class.',
    severalDatabases,
  ],
  commands: {
    list: {
      summary: 'list scheduled and recurring commands in the order of their due times, without bodies',
      options: {
        tenant: { value: '<id>', summary: 'only those of this tenant' },
        ...pageOptions('commands', 50),
        ...databaseOptions,
      },
      json: '{database, commands: [{id, dueAt, type, key, tenant, attempts, state}], next}',
      examples: { 'svc schedule list --tenant acme': 'list the scheduled commands of acme' },
      exitCodes,
      load: inDatabase(async () => (await import('./list.js')).list),
    },
    cancel: {
      summary: 'remove a scheduled command, so that it does not run',
      arguments: scheduled,
      options: changeOptions,
      json: '{id, type, state}',
      examples: { [`svc schedule cancel ${id}`]: 'remove it, and record the operator' },
      exitCodes,
      load: inDatabase(async () => (await import('./changes.js')).cancel, { isAboutOne }),
    },
    run: {
      summary: 'make a scheduled command due now; a host runs it',
      arguments: scheduled,
      options: changeOptions,
      json: '{id, type, state}',
      examples: { [`svc schedule run ${id}`]: 'let a host run it now' },
      exitCodes,
      load: inDatabase(async () => (await import('./changes.js')).makeDue, { isAboutOne }),
    },
  },
};
