import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { publicSealKey } from '@svc/core/hosting';
import { UsageError } from '../database/failures.js';
import type { Options } from '../database/subcommands.js';
import { ExitCode, type Terminal } from '../terminal.js';

/** Creates a private key for seals. */
export function createKey(options: Options, terminal: Terminal): ExitCode {
  const pair = generateKeyPairSync('ed25519');
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const { id, publicKey } = publicSealKey(pair.publicKey);
  const file = options.text('out');
  if (file !== undefined) {
    try {
      writeFileSync(file, pem, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      throw new UsageError(`Cannot write the key to ${file}: ${(error as Error).message}.`);
    }
  }
  if (options.flag('json')) {
    const shown = file === undefined ? { privateKey: pem } : { file };
    terminal.out(JSON.stringify({ id, publicKey, ...shown }, null, 2));
    return ExitCode.ok;
  }
  if (file === undefined) terminal.out(pem.trimEnd());
  else terminal.out(`The private key is in ${file}.`);
  terminal.out(`key id      ${id}`);
  terminal.out(`public key  ${publicKey}`);
  return ExitCode.ok;
}
