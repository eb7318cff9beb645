/** Does what the README says, in the order in which it says it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatDiagnostic, Generator, loadProject } from '@svc/generator';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TemporaryProject } from '../../generator/temporary-project.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text);

const project = TemporaryProject.ofExample('readme-');
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  const [, file] = /Save this as `(\S+)`/.exec(readme) ?? [];
  const [source] = blocks('ts');
  project.write(file!, source!);
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  const { diagnostics } = new Generator(loaded).write();
  if (diagnostics.length > 0) throw new Error(diagnostics.map(formatDiagnostic).join('\n'));
  const { createHost } = (await import(join(project.directory, 'src/host.ts'))) as {
    createHost: () => Promise<{ app: FastifyInstance }>;
  };
  ({ app } = await createHost());
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app?.close();
  project.remove();
});

it('shows a command of at most 20 lines of code that compiles under the strictest flags', () => {
  const [source = ''] = blocks('ts');
  expect(source.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(20);
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project.directory, '--noEmit'], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

it('shows the answers as they are printed, but for ids', async () => {
  const commands = blocks('sh').filter((text) => text.startsWith('curl'));
  const answers = blocks('text').map((text) => text.trim());
  expect(commands).toHaveLength(answers.length);
  for (const [i, command] of commands.entries()) {
    const [, path = '', body = ''] = /127\.0\.0\.1:3000(\S+) .*-d '(.*)'/s.exec(command) ?? [];
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(withoutIds(await response.text())).toBe(withoutIds(answers[i]!));
  }
});

function withoutIds(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/"traceId":"[0-9a-f]{32}"/g, '"traceId":"<id>"');
}
