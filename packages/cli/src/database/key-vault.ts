import { readFileSync } from 'node:fs';
import { localKeyVault, type KeyVault } from '@svc/core';
import { UsageError } from '../failures.js';
import type { Options } from '../command-line/options.js';

/** The vault in the file given by `--key-vault`, or in the variable `KEY_VAULT`; null: none is given. */
export function givenKeyVault(options: Options): KeyVault | null {
  const file = options.text('key-vault');
  const text = file === undefined ? process.env['KEY_VAULT'] : textOf(file);
  return text === undefined || text === '' ? null : localKeyVault(text);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Cannot read the key vault ${file}: ${(error as Error).message}.`);
  }
}
