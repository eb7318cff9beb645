/** The options that select records of the audit, for `query` and `tail`. */
import { ValidationError } from '@svc/core';
import { decryptedStorage, requireAuditQuery, type AuditQuery } from '@svc/core/hosting';
import type { Storage } from '@svc/core/storage';
import { UsageError } from '../failures.js';
import { useArchive } from '../archive/use-archive.js';
import { idOf } from '../database/ids.js';
import { givenKeyVault } from '../database/key-vault.js';
import type { Options } from '../command-line/options.js';
import type { DatabaseCall } from '../database/run-in-databases.js';
import { dateOf } from './trust-options.js';

const conditions = ['tenant', 'user', 'type', 'stream', 'correlation', 'message', 'level', 'from'];

/** The conditions in the options, and others of the command. Reports a wrong one before the database is read. */
export function filterOf(options: Options, others: AuditQuery = {}): AuditQuery {
  const types = options.texts('type');
  const id = (name: string) => {
    const given = options.text(name);
    return given === undefined ? undefined : idOf(`--${name}`, given);
  };
  const query: AuditQuery = {
    tenant: options.text('tenant'),
    user: options.text('user'),
    type: types.length === 0 ? undefined : types,
    resource: id('stream'),
    correlation: id('correlation'),
    message: id('message'),
    level: options.text('level') as AuditQuery['level'],
    from: dateOf(options, 'from'),
    ...others,
  };
  try {
    requireAuditQuery(query);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new UsageError(error.issues.map(({ pointer, detail }) => `--${pointer.slice(1)} ${detail}.`).join('\n'));
  }
  return query;
}

/** What the record of a command contains: the given conditions, and whether personal data are decrypted. */
export function recordedArguments(options: Options, others: readonly string[]): Readonly<Record<string, unknown>> {
  const given = options.given([...conditions, ...others]);
  return { ...given, decrypted: givenKeyVault(options) !== null };
}

/** The storage to read from: with the archive, and decrypted if a key vault is given. */
export function readableStorage(call: DatabaseCall): Storage {
  useArchive(call);
  const { storage } = call.database;
  const vault = givenKeyVault(call.options);
  return vault === null ? storage : decryptedStorage(storage, vault);
}
