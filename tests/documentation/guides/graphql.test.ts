/** Does what docs/guides/graphql.md says, in the order in which it says it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatDiagnostic, Generator, loadProject } from '@svc/generator';
import type { FastifyInstance } from 'fastify';
import { parse, print } from 'graphql';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { TemporaryProject } from '../../generator/temporary-project.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const guide = readFileSync(join(root, 'docs/guides/graphql.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text);

const project = new TemporaryProject({}, 'guide-');
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  const files = [...guide.matchAll(/`(src\/\S+\.ts)`[^`]*?:\n\n```ts\n(.*?)^```$/gms)];
  const sources = files.map(([, path = '', text = '']) => ({ path, text }));
  for (const { path, text } of sources) project.write(path, text);
  const loaded = loadProject(project.directory);
  if ('code' in loaded) throw new Error(loaded.message);
  const { diagnostics } = new Generator(loaded).write();
  if (diagnostics.length > 0) throw new Error(diagnostics.map(formatDiagnostic).join('\n'));
  const { createHost } = (await import(join(project.directory, 'src/host.ts'))) as {
    createHost: () => Promise<FastifyInstance>;
  };
  app = await createHost();
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  const closed = app?.close();
  // After an aborted request, `fetch` can have a connection without a request. Node does not count it as idle, and would wait for it.
  app?.server.closeAllConnections();
  await closed;
  project.remove();
});

it('shows every file that it takes', () => {
  expect(Object.keys(project.generated())).toContain('tickets/generated/open-ticket.endpoint.ts');
  const files = ['open-ticket', 'open-ticket.endpoint', 'ticket.perspective'].map((name) => `src/tickets/${name}.ts`);
  for (const file of ['src/host.ts', 'src/client/watch-tickets.ts', ...files]) {
    expect(blocks('ts')).toContain(project.read(file));
  }
});

it('compiles under the strictest flags', () => {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', project.directory, '--noEmit'], { encoding: 'utf8' });
  expect(stdout).toBe('');
});

it('shows the schema as it is generated', async () => {
  const { graphql } = (await import(join(project.directory, 'src/generated/graphql.ts'))) as {
    graphql: { sdl: string };
  };
  const definitions = (sdl: string): string[] => parse(sdl).definitions.map((definition) => print(definition));
  const shown = blocks('graphql');
  expect(shown).toHaveLength(3);
  for (const text of shown) expect(definitions(graphql.sdl)).toEqual(expect.arrayContaining(definitions(text)));
});

it('shows the answers as they are printed, but for ids', async () => {
  const commands = blocks('sh');
  const answers = blocks('text').map((text) => text.trim());
  expect(commands).toHaveLength(answers.length);
  for (const [i, command] of commands.entries()) {
    const [, path = '', body = ''] = /127\.0\.0\.1:3000(\S+) .*-d '(.*)'/s.exec(command) ?? [];
    const answer = async (): Promise<void> => {
      const isStream = command.includes('text/event-stream');
      const accept: Record<string, string> = isStream ? { accept: 'text/event-stream' } : {};
      const headers = { 'content-type': 'application/json', ...accept };
      const response = await fetch(url + path, { method: 'POST', headers, body });
      const text = isStream ? await firstEvent(response) : await response.text();
      expect(withoutIds(text)).toBe(withoutIds(answers[i]!));
    };
    // What a query reads is there a moment after the mutation.
    if (body.includes('mutation')) await answer();
    else await vi.waitFor(answer, 5_000);
  }
});

it('watches the tickets with the code of the client', async () => {
  const { watchTickets } = (await import(join(project.directory, 'src/client/watch-tickets.ts'))) as {
    watchTickets: (url: string, show: (tickets: { title: string }[]) => void) => () => void;
  };
  let titles: string[] = [];
  const stop = watchTickets(`${url}/graphql`, (tickets) => (titles = tickets.map(({ title }) => title)));
  await expect.poll(() => titles).toContain('It rings');
  const command = { title: 'Another', priority: 'low', contact: { mail: { address: 'me' } } };
  const query = 'mutation ($command: OpenTicketInput!) { openTicket(command: $command) { ticketId } }';
  await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables: { command } }),
  });
  await expect.poll(() => titles).toContain('Another');
  stop();
});

it('serves the page it speaks of', async () => {
  const response = await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } });
  expect(response.headers.get('content-type')).toContain('text/html');
});

it('serves the same command over REST, with the same hook', async () => {
  const body = JSON.stringify({ title: 'spam', priority: 'low', contact: { kind: 'mail', address: 'me' } });
  const response = await fetch(`${url}/tickets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  expect([response.status, ((await response.json()) as { detail: string }).detail]).toEqual([
    422,
    'We have enough of that.',
  ]);
});

it('names options that exist', () => {
  const source = readFileSync(join(root, 'packages/graphql/src/options.ts'), 'utf8');
  const block = blocks('ts').find((text) => text.startsWith('graphQL(')) ?? '';
  const names = [...block.matchAll(/(\w+):/g)].map(([, name]) => name!).filter((name) => name !== 'openTicket');
  for (const name of names) expect(source).toMatch(new RegExp(`readonly ${name}\\??:`));
});

/** A stream up to its first event. It is then closed. */
async function firstEvent(response: Response): Promise<string> {
  let text = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    text += part;
    if (/^event: next\n.*\n\n/m.test(text)) return text.trim();
  }
  throw new Error(`The stream has no event: ${text}`);
}

function withoutIds(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/"traceId":"[0-9a-f]{32}"/g, '"traceId":"<id>"')
    .replace(/^retry: \d+/, 'retry: <ms>');
}
