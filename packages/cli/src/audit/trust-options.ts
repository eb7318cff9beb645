import { readFileSync } from 'node:fs';
import { publicSealKey, readAnchorFile, type PublicSealKey, type VerifyOptions } from '@svc/core/hosting';
import { UsageError } from '../failures.js';
import type { Options } from '../command-line/options.js';

/** Whom a verification trusts. */
export async function trustOf(options: Options): Promise<Pick<VerifyOptions, 'keys' | 'anchored'>> {
  const keys = options.texts('key').map(keyOf);
  const anchored = [];
  for (const path of options.texts('anchor')) {
    const read = await readAnchorFile(path).catch((error: unknown) => {
      throw new UsageError(`Cannot read the anchor ${path}: ${(error as Error).message}.`);
    });
    if (read.length === 0) throw new UsageError(`${path} has no checkpoints. Pass a file that an anchor has written.`);
    anchored.push(...read);
  }
  return { keys, anchored };
}

/** The time in an option. */
export function dateOf(options: Options, name: string): Date | undefined {
  const text = options.text(name);
  if (text === undefined) return undefined;
  const date = new Date(text);
  // Date.parse also accepts texts whose meaning depends on the time zone of the machine.
  if (
    !/^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text) ||
    Number.isNaN(date.getTime())
  )
    throw new UsageError(`--${name} must be a date such as 2026-01-01 or 2026-01-01T12:00:00Z, not "${text}".`);
  return date;
}

function keyOf(text: string): PublicSealKey {
  try {
    return publicSealKey(/^[\w-]{43}$/.test(text) ? text : readFileSync(text, 'utf8'));
  } catch {
    throw new UsageError(`--key must be the base64url of a public Ed25519 key, or a PEM file with one, not "${text}".`);
  }
}
