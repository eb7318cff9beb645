import type { GroupDescription, OptionDescription } from '../command-line/description.js';
import {
  databaseExitCodes as exitCodes,
  databaseOptions,
  inDatabase,
  operatorOption,
  ownerOptions,
  severalDatabases,
} from '../database/description.js';

const registryOptions: Readonly<Record<string, OptionDescription>> = {
  registry: {
    value: '<file>',
    summary: 'the built registry of the service, for its perspectives (default: dist/generated/registry.js)',
  },
  'shared-tenants': { summary: 'the service calls shareDataBetweenTenants()' },
};

export const migrate: GroupDescription = {
  details: ['The service migrates the tables of its perspectives when it starts.', severalDatabases],
  commands: {
    status: {
      summary: 'show each item: its status, how and when it was migrated, and why it failed',
      options: { ...registryOptions, ...databaseOptions },
      json: '{database, items: [{key, status, statusCode, strategy, hash, libraryVersion, description, failureReason, error, appliedAt, updatedAt, durationMs, rowsCopied, hasBackup}]}',
      examples: { 'svc migrate status': 'show the schema of the database of the service in this folder' },
      exitCodes: { ...exitCodes, 1: 'failed or rejected, or an item has failed' },
      load: inDatabase(async () => (await import('./commands.js')).status),
    },
    plan: {
      summary: 'print the SQL that the next start would run; changes nothing',
      options: { ...registryOptions, ...databaseOptions },
      json: '{database, pending: [{key, sql, strategy, description}]}',
      examples: { 'svc migrate plan --database postgres://localhost/shop': 'print what the next start changes' },
      exitCodes: { ...exitCodes, 1: 'failed or rejected, or the next start would reject an item' },
      load: inDatabase(async () => (await import('./commands.js')).plan),
    },
    up: {
      summary: 'migrate the infrastructure without starting a service',
      details: [
        'In a database with two roles, run it as the owner before a deployment: DATABASE_OWNER_URL comes before DATABASE_URL.',
      ],
      options: ownerOptions,
      json: '{database, migrated: […]}',
      examples: { 'svc migrate up --database shop.db': 'create or update the tables in shop.db' },
      exitCodes,
      load: inDatabase(async () => (await import('./commands.js')).up, { creates: true, asOwner: true }),
    },
    rollback: {
      summary: 'replace a rewritten table with its backup; recorded in the system stream',
      arguments: { key: { summary: 'the item; svc migrate status lists the keys' } },
      options: { ...operatorOption, ...databaseOptions },
      json: '{database, item: {key, status, …}}',
      examples: { 'svc migrate rollback perspective/Orders': 'restore the previous table of the perspective Orders' },
      exitCodes,
      load: inDatabase(async () => (await import('./commands.js')).rollback, { isAboutOne: () => true }),
    },
  },
};
