import { randomBytes } from 'node:crypto';
import { localKeyVault, type KeyVault } from '@svc/core';
import { trialFile, trialFolder } from './trial-files.js';

export interface ChosenKeyVault {
  readonly keyVault: KeyVault;
  /** Where the key-encryption keys are. For display. */
  readonly where: string;
}

/** A trial runs on one machine: a file in its folder has the keys. */
export interface TrialOptions {
  readonly isTrial: boolean;
  readonly folder?: string;
}

/** The vault of `KEY_VAULT`. A trial creates a file: hosts of a production need the same keys, and must not lose them. */
export function chooseKeyVault(
  { KEY_VAULT: text = '' }: NodeJS.ProcessEnv,
  { isTrial, folder = trialFolder }: TrialOptions,
): ChosenKeyVault {
  if (text !== '') return { keyVault: localKeyVault(text), where: 'KEY_VAULT' };
  if (!isTrial) throw new Error(`Cannot encrypt personal data: KEY_VAULT is not set. ${fix}`);
  return { keyVault: localKeyVault(trialFile('key-vault', newKey, folder)), where: `${folder}/key-vault` };
}

/** A vault that ends with the process, for data in memory. */
export function temporaryKeyVault(): KeyVault {
  return localKeyVault(newKey());
}

const fix =
  'Create a key with: echo "k1:$(openssl rand -base64 32)". Store it outside of the database, and give it to all hosts.';

function newKey(): string {
  return `k1:${randomBytes(32).toString('base64')}\n`;
}
