import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileAnchor, type SealOptions } from '@svc/core';
import type { TrialOptions } from './key-vault.js';
import { trialFile, trialFolder } from './trial-files.js';

export interface ChosenSeals {
  /** Null: the log is not sealed. */
  readonly seals: SealOptions | null;
  /** Where the private key is. For display. */
  readonly by: string;
}

/** Seals the log with the private keys in `SEAL_KEY_FILES`, separated by commas: the first one signs. A trial creates a key. */
export function chooseSeals(
  { SEAL_KEY_FILES: names = '', SEAL_ANCHOR_FILE: anchor = '' }: NodeJS.ProcessEnv,
  { isTrial, folder = trialFolder }: TrialOptions,
): ChosenSeals {
  const files = names.split(',').filter((file) => file !== '');
  const anchors = anchor === '' ? [] : [fileAnchor(anchor, { entries: true, name: 'anchor-file' })];
  if (files.length > 0) {
    return { seals: { keys: files.map((file) => readFileSync(file, 'utf8')), anchors }, by: files.join(', ') };
  }
  if (!isTrial) return { seals: null, by: 'none' };
  return { seals: { keys: [trialFile('seal-key.pem', newKey, folder)], anchors }, by: `${folder}/seal-key.pem` };
}

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}
