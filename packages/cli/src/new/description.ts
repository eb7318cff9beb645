import type { CommandDescription } from '../command-line/description.js';

export const newService: CommandDescription = {
  details: [
    'Creates a service in a new or empty folder. The name of the folder is the name of the service. On a terminal, the command asks for the database and the authentication unless they are given.',
    '"npm create @svc@latest <folder>" does the same.',
  ],
  arguments: { folder: { summary: 'the new folder' } },
  options: {
    yes: { summary: 'use the defaults instead of asking' },
    database: { value: '<kind>', summary: 'where events are stored (default: sqlite)', values: ['sqlite', 'postgres'] },
    auth: { value: '<kind>', summary: 'how callers authenticate (default: none)', values: ['none', 'jwt'] },
    graphql: { summary: 'serve GraphQL in addition to REST' },
    broker: { summary: 'exchange events with other hosts over RabbitMQ' },
  },
  json: '{name, folder, files: [path]}; asks nothing',
  examples: {
    'svc new library': 'create a service in the folder library',
    'svc new library --database postgres --auth jwt --graphql': 'create one with PostgreSQL, tokens and GraphQL',
  },
  exitCodes: { 0: 'created', 1: 'the files could not be written', 2: 'wrong usage, or the folder is not empty' },
  load: async () => (await import('./new.js')).newService,
};
