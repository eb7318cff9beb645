import { readFileSync } from 'node:fs';
import { fileAnchor, type SealOptions } from '@svc/core';

/** Seals the log if `SEAL_KEY_FILES` names private keys, separated by commas: the first one signs. Null: it is not sealed. */
export function sealsFrom(env: NodeJS.ProcessEnv): SealOptions | null {
  const files = (env['SEAL_KEY_FILES'] ?? '').split(',').filter((file) => file !== '');
  if (files.length === 0) return null;
  const anchor = env['SEAL_ANCHOR_FILE'];
  return {
    keys: files.map((file) => readFileSync(file, 'utf8')),
    anchors: anchor === undefined ? [] : [fileAnchor(anchor, { entries: true, name: 'anchor-file' })],
  };
}
