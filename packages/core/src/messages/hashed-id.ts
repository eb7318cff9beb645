import type { Hash } from 'node:crypto';
import { uuid, type Uuid } from '../json/index.js';

/** The id (version 8) that a SHA-256 hash determines. No message has it. */
export function hashedId(hash: Hash): Uuid {
  const hex = hash.digest('hex');
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return uuid(groups.join('-'));
}
