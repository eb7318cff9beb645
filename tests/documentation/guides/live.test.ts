/** Does what docs/guides/live.md says: watches in one terminal, creates an order in another. */
import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { Guide, withoutChance } from './guide.js';

it('docs/guides/live.md shows what its commands print, except for ids and times', async () => {
  const guide = new Guide('live.md');
  const [watch, create] = guide.steps;
  const service = await guide.start();
  let printed = '';
  const [, ...args] = watch!.commands.replace('http://127.0.0.1:3000', service.url).split(' ');
  const curl = spawn('curl', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  curl.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  try {
    await expect.poll(() => printed).toContain('event: page');
    service.run([create!]);
    await expect.poll(() => printed).toContain('event: upsert');
    const plain = (text: string): string =>
      withoutChance(text)
        .replaceAll(/retry: \d+/g, 'retry: <ms>')
        .replaceAll(/id: [0-9a-f]{32}\.\d+/g, 'id: <place>');
    expect(plain(printed.trim())).toBe(plain(create!.answer!));
  } finally {
    curl.kill();
    await service.stop();
  }
});
