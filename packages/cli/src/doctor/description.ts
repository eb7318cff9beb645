import type { CommandDescription } from '../command-line/description.js';
import { databaseOptions } from '../database/description.js';

export const doctor: CommandDescription = {
  details: [
    'Checks Node, the packages of svc and their versions, TypeScript and its settings, the generated code, and whether the test runner lowers decorators. It also checks each configured database: its version, pending migrations and roles; and the configured broker. It changes nothing, and prints no credentials.',
    'A warning can be intended. A problem keeps the service from being built, tested or started.',
  ],
  options: {
    project: { value: '<folder>', summary: "the folder of the service's package.json", default: '.' },
    ...databaseOptions,
    broker: { value: '<url>', summary: 'a RabbitMQ broker (default: RABBITMQ_URL or AMQP_URL)' },
  },
  json: '{isHealthy, findings: [{check, status: ok | warning | problem | skipped, detail, fix}]}; fix is null if nothing is to be done',
  examples: {
    'svc doctor': 'check the service in this folder, and the database in DATABASE_URL or .svc',
    'svc doctor --database postgres://localhost/shop --broker amqp://localhost': 'check these, too',
  },
  exitCodes: { 0: 'no problem; there can be warnings', 1: 'at least one problem', 2: 'wrong usage' },
  load: async () => (await import('./doctor.js')).doctor,
};
