/** Does what docs/guides/live.md says: watches in one terminal, creates an order in another. */
import { spawn, type ChildProcess } from 'node:child_process';
import { expect, it } from 'vitest';
import { Guide, withoutChance } from './guide.js';

it('docs/guides/live.md shows what its commands print, except for ids and times', async () => {
  const guide = new Guide('live.md');
  const [watch, create, subscribe] = guide.steps;
  const service = await guide.start();
  let printed = '';
  const running: ChildProcess[] = [];
  const run = (command: string): void => {
    const curl = spawn('sh', ['-c', `exec ${command.replace('http://127.0.0.1:3000', service.url)}`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    curl.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    running.push(curl);
  };
  try {
    run(watch!.commands);
    await expect.poll(() => printed).toContain('event: page');
    service.run([create!]);
    await expect.poll(() => printed).toContain('event: upsert');
    const plain = (text: string): string =>
      withoutChance(text)
        .replaceAll(/retry: \d+/g, 'retry: <ms>')
        .replaceAll(/[0-9a-f]{32}\.\d+/g, '<place>');
    expect(plain(printed.trim())).toBe(plain(create!.answer!));
    printed = '';
    run(subscribe!.commands);
    await expect.poll(() => printed).toContain('event: next');
    expect(plain(printed.trim())).toBe(plain(subscribe!.answer!));
  } finally {
    for (const curl of running) curl.kill();
    await service.stop();
  }
});
