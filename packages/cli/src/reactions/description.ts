import type { GroupDescription } from '../command-line/description.js';
import {
  databaseExitCodes as exitCodes,
  databaseOptions,
  inDatabase,
  operatorOption,
  pageOptions,
  severalDatabases,
} from '../database/description.js';

const reaction = { reaction: { summary: 'its name; svc reactions list shows the names' } };
const changeOptions = { ...operatorOption, ...databaseOptions };
const id = '01912d68-783e-7a03-8467-5661c1243ad0';

export const reactions: GroupDescription = {
  details: [
    'Each change is recorded with its operator. It needs no running service: hosts notice it within a second.',
    severalDatabases,
  ],
  commands: {
    list: {
      summary: 'show each reaction: its place in the log, its lag, its failed streams, its hosts',
      options: databaseOptions,
      json: '{database, reactions: [{name, sequence, behind, waiting, parked, isPaused, hosts}]}',
      examples: { 'svc reactions list': 'show the reactions of the service in this folder' },
      exitCodes,
      load: inDatabase(async () => (await import('./list.js')).list),
    },
    show: {
      summary: 'show where a reaction started, and its failed streams with their errors',
      arguments: reaction,
      options: { ...pageOptions('failed streams', 20, '<stream>'), ...databaseOptions },
      json: '{name, sequence, isPaused, startedAt, startedAfter, behind, waiting, parked, streams: […]}',
      examples: { 'svc reactions show Charging': 'show the failed streams of Charging' },
      exitCodes,
      load: inDatabase(async () => (await import('./show.js')).show),
    },
    retry: {
      summary: 'retry the failed streams of a reaction now, or one of them, with a new count of attempts',
      arguments: { ...reaction, stream: { summary: 'retry only this stream', isOptional: true } },
      options: changeOptions,
      json: '{reaction, retried}',
      examples: {
        'svc reactions retry Charging': 'retry all failed streams of Charging',
        [`svc reactions retry Charging ${id}`]: 'retry one of them',
      },
      exitCodes,
      load: inDatabase(async () => (await import('./change.js')).retry, {
        isAboutOne: (positionals) => positionals.length > 1,
      }),
    },
    skip: {
      summary: 'skip the event at which a stream failed; the stream continues with its next event',
      arguments: { ...reaction, stream: { summary: 'the failed stream; svc reactions show lists them' } },
      options: changeOptions,
      json: '{reaction, skipped}',
      examples: { [`svc reactions skip Charging ${id}`]: 'skip the event that Charging cannot process' },
      exitCodes,
      load: inDatabase(async () => (await import('./change.js')).skip, { isAboutOne: () => true }),
    },
    pause: {
      summary: 'stop a reaction on all hosts; what it has not committed is not committed',
      arguments: reaction,
      options: changeOptions,
      json: '{reaction, isPaused}',
      examples: { 'svc reactions pause Charging --as ann': 'stop Charging, and record that ann did it' },
      exitCodes,
      load: inDatabase(async () => (await import('./change.js')).pause),
    },
    resume: {
      summary: 'continue a paused reaction at its place',
      arguments: reaction,
      options: changeOptions,
      json: '{reaction, isPaused}',
      examples: { 'svc reactions resume Charging': 'continue Charging' },
      exitCodes,
      load: inDatabase(async () => (await import('./change.js')).resume),
    },
  },
};
