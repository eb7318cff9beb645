import { createHash, randomBytes, randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HashBatch, hashBytes } from './hash-batch.js';
import { sha256Module } from './sha256-module.js';

const engines = [
  ['vectors', () => new HashBatch()],
  ['node:crypto, where there are no vectors', () => new HashBatch(null)],
] as const;

function hashesOf(batch: HashBatch, messages: readonly Buffer[]): readonly string[] {
  for (const message of messages) {
    const at = batch.reserve(message.length);
    message.copy(batch.bytes, at);
    batch.add(message.length);
  }
  const hashes = Buffer.alloc(messages.length * hashBytes);
  batch.run(hashes);
  return messages.map((_, i) => hashes.toString('hex', i * hashBytes, (i + 1) * hashBytes));
}

const expected = (message: Buffer): string => createHash('sha256').update(message).digest('hex');

describe.each(engines)('hashes with %s', (_, create) => {
  it('messages of every length, as node:crypto does', () => {
    const messages = Array.from({ length: 300 }, (__, length) => randomBytes(length));
    expect(hashesOf(create(), messages)).toEqual(messages.map(expected));
  });

  it('any number of messages, and many batches one after the other', () => {
    const batch = create();
    for (let count = 0; count < 20; count++) {
      const messages = Array.from({ length: count }, () => randomBytes(randomInt(2_000)));
      expect(hashesOf(batch, messages)).toEqual(messages.map(expected));
    }
  });

  it('more than the memory that it begins with', () => {
    const messages = Array.from({ length: 700 }, () => randomBytes(5_000 + randomInt(200)));
    expect(hashesOf(create(), messages)).toEqual(messages.map(expected));
  });

  it('forgets what was added before a failure', () => {
    const batch = create();
    batch.reserve(3);
    batch.add(3);
    batch.clear();
    const message = Buffer.from('abc');
    expect(hashesOf(batch, [message])).toEqual([expected(message)]);
  });
});

it('has vectors on the machines that we test on', () => {
  expect(sha256Module()).not.toBeNull();
});
