import { generateKeyPairSync } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { publicSealKey } from '@svc/core/hosting';
import { UsageError } from '../failures.js';
import type { Call } from '../command-line/description.js';
import { ExitCode } from '../terminal.js';

/** Creates a private key for seals. */
export async function createKey({ options, json, terminal }: Call): Promise<ExitCode> {
  const pair = generateKeyPairSync('ed25519');
  const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const { id, publicKey } = publicSealKey(pair.publicKey);
  const file = options.text('out');
  if (file !== undefined) {
    try {
      await writeFile(file, pem, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      throw new UsageError(`Cannot write the key to ${file}: ${(error as Error).message}.`);
    }
  }
  if (json) {
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
