import type { ListedCommand } from './command-line/description.js';

/** All commands of svc. A description loads none of the code that runs its command. */
export const commands: Readonly<Record<string, ListedCommand>> = {
  new: {
    summary: 'create a service in a new folder',
    describe: async () => (await import('./new/description.js')).newService,
  },
  add: {
    summary: 'write a command, perspective, reaction or process, and its test',
    describe: async () => (await import('./add/description.js')).add,
  },
  dev: {
    summary: 'run a service, and build and restart it at every change',
    describe: async () => (await import('./dev/description.js')).dev,
  },
  generate: {
    summary: 'write the endpoints, readers, writers and registry of a service',
    describe: async () => (await import('./generate/description.js')).generate,
  },
  explain: {
    summary: 'explain the code of a diagnostic or an error',
    describe: async () => (await import('./explain/description.js')).explain,
  },
  doctor: {
    summary: 'check Node, packages, TypeScript, generated code, tests, database and broker',
    describe: async () => (await import('./doctor/description.js')).doctor,
  },
  migrate: {
    summary: 'show and update the schema of a database, roll back a migration',
    describe: async () => (await import('./migrate/description.js')).migrate,
  },
  database: {
    summary: 'separate the role that a service runs as from the owner of the log',
    describe: async () => (await import('./roles/description.js')).database,
  },
  perspectives: {
    summary: 'show the state of perspectives, rebuild them, retry stopped streams',
    describe: async () => (await import('./perspectives/description.js')).perspectives,
  },
  reactions: {
    summary: 'show the state of reactions, retry, skip, pause, resume',
    describe: async () => (await import('./reactions/description.js')).reactions,
  },
  processes: {
    summary: 'show the instances of processes and their history',
    describe: async () => (await import('./processes/description.js')).processes,
  },
  'dead-letters': {
    summary: 'show, replay or discard dead-lettered messages',
    describe: async () => (await import('./dead-letters/description.js')).deadLetters,
  },
  schedule: {
    summary: 'show scheduled and recurring commands, cancel them, run them now',
    describe: async () => (await import('./schedule/description.js')).schedule,
  },
  archive: {
    summary: 'move the bodies of old events into files',
    describe: async () => (await import('./archive/description.js')).archive,
  },
  audit: {
    summary: 'query and follow the audit, prove that no event was changed, export sealed events',
    describe: async () => (await import('./audit/description.js')).audit,
  },
  erase: {
    summary: 'erase the personal data of a subject',
    describe: async () => (await import('./subjects/description.js')).erase,
  },
  subject: {
    summary: 'export the personal data of a subject',
    describe: async () => (await import('./subjects/description.js')).subject,
  },
  deploy: {
    summary: 'roll out a version (canary, blue-green, rolling, recreate), roll back, check',
    describe: async () => (await import('./deploy/description.js')).deploy,
  },
  completion: {
    summary: 'print a script that completes commands and options in a shell',
    describe: async () => (await import('./completion/description.js')).completion,
  },
};
