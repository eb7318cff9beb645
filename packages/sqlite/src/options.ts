import { requireWholeNumbers, ServiceError } from '@svc/core';
import type { ArchiveStore, MigrationOptions } from '@svc/core/storage';

/** The database file, and the times that the storage waits. */
export interface SqliteOptions {
  /** The database file. svc creates it and missing folders with access for their owner only. Default: `.svc/data.db` in the working directory. */
  readonly file?: string;
  /** How long a commit waits at most while other processes write to the file. Default: 5,000. */
  readonly lockTimeoutMs?: number;
  /** How often svc polls the outbox for messages of other processes. Default: 5,000. It polls for operations at least once a second. */
  readonly pollMs?: number;
  /**
   * How long the lease of a process lasts: for work that one process does at a time, or for an operation. If the process does not renew it,
   * another one takes over. Default: 5,000.
   */
  readonly leaseMs?: number;
  /** Where the bodies of archived events are, such as `folderArchive('<folder>')`. Default: none; archived events cannot be read. */
  readonly archive?: ArchiveStore;
  /** How the schema is migrated when the storage is opened. */
  readonly migrations?: MigrationOptions;
}

/** Throws if a number in the options is out of range, or if the file is the address of a database server. */
export function requireValid({ file = defaultFile, lockTimeoutMs, pollMs, leaseMs }: SqliteOptions): void {
  requireWholeNumbers({ lockTimeoutMs, pollMs, leaseMs }, misconfigured);
  if (file.includes('://') || credentials.test(file) || isConnectionString(file))
    throw misconfigured('file must be the path of a file, not a URL or a connection string');
}

/** `user:password@`, which starts a URL without its scheme. */
const credentials = /^[^/\\\s:]*:[^/\\\s@]*@/;

/** Keywords of connection strings of libpq and of other drivers. No error repeats such a string, because it can have a password. */
const keywords: ReadonlySet<string> = new Set([
  'host',
  'hostaddr',
  'port',
  'dbname',
  'database',
  'user',
  'user id',
  'username',
  'uid',
  'password',
  'passfile',
  'pwd',
  'service',
  'server',
  'data source',
  'sslmode',
]);

function isConnectionString(text: string): boolean {
  const keys = text.toLowerCase().split('=').slice(0, -1);
  return keys.some((before) => {
    const words = before.trimEnd().split(/[\s;]+/);
    return keywords.has(words.at(-1)!) || keywords.has(words.slice(-2).join(' '));
  });
}

function misconfigured(what: string): ServiceError {
  return new ServiceError('SVC_STORAGE_MISCONFIGURED', `Cannot create sqlite: ${what}.`);
}

export const defaultFile = '.svc/data.db';
export const defaultLockTimeoutMs = 5_000;
export const defaultLeaseMs = 5_000;
