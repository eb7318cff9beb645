import type { CommandDescription } from '../command-line/description.js';

export const dev: CommandDescription = {
  details: [
    'Generates, compiles and runs a service, and does so again at every change. While the code does not compile, the last build keeps running. Shows requests and appended events, without their bodies. Variables in .env are set for the service.',
    'Keys: o opens the API documentation, r restarts the service, q quits.',
  ],
  options: {
    project: { value: '<folder>', summary: "the folder of the service's package.json", default: '.' },
  },
  json: null,
  examples: { 'svc dev': 'run the service in this folder' },
  exitCodes: { 0: 'ended by q or Ctrl-C', 1: 'there is no service in the folder', 2: 'wrong usage' },
  load: async () => (await import('./dev.js')).dev,
};
