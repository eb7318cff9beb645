import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '@svc/cli';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TemporaryProject } from './temporary-project.js';

const buy = (fields: string): string => `
import { commandEndpoint, type Command } from '@svc/core';

@commandEndpoint<Buy, void>({ restRoute: '/buy' })
export class Buy implements Command {
  ${fields}
}
`;

let project: TemporaryProject;
beforeEach(() => {
  project = new TemporaryProject({ 'src/shop/buy.ts': buy('what!: string;') });
});
afterEach(() => project.remove());

async function svc(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const lines = { out: [] as string[], error: [] as string[] };
  const code = await run(args, { out: (line) => lines.out.push(line), error: (line) => lines.error.push(line) });
  return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
}
const generate = (...flags: string[]): ReturnType<typeof svc> =>
  svc('generate', '--project', project.directory, ...flags);

describe('svc generate', () => {
  it('writes missing files and leaves correct ones unchanged', async () => {
    expect(await generate()).toMatchObject({
      code: 0,
      out: expect.stringContaining('4 generated files: 4 written') as string,
    });
    expect(Object.keys(project.generated())).toEqual([
      'generated/openapi.ts',
      'generated/registry.ts',
      'shop/generated/buy.endpoint.ts',
      'shop/generated/buy.json.ts',
    ]);
    expect((await generate()).out).toContain('4 generated files: 0 written');
  });

  it('removes stale generated files, and nothing else', async () => {
    await generate();
    project.write('src/shop/generated/mine.ts', 'export const mine = 1;\n');
    rmSync(join(project.directory, 'src/shop/buy.ts'));
    expect((await generate()).out).toContain('2 removed');
    expect(Object.keys(project.generated())).toEqual([
      'generated/openapi.ts',
      'generated/registry.ts',
      'shop/generated/mine.ts',
    ]);
  });

  it('reports all problems with their locations, and writes nothing', async () => {
    project.write('src/shop/buy.ts', buy('what!: any;\n  when!: Map<string, string>;'));
    const { code, error } = await generate();
    expect(code).toBe(1);
    expect(error).toMatch(
      /^src\/shop\/buy\.ts:6:\d+ SVC10\d\d .+\nsrc\/shop\/buy\.ts:7:\d+ SVC10\d\d .+\n\n2 problems; nothing was written\. To read more, run svc explain SVC10\d\d SVC10\d\d\.$/,
    );
    expect(project.generated()).toEqual({});
  });
});

describe('svc generate --json', () => {
  it('prints what it has written', async () => {
    const { code, out } = await generate('--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      files: 4,
      missing: expect.arrayContaining(['generated/registry.ts']) as string[],
      different: [],
      stale: [],
      diagnostics: [],
    });
  });

  it('prints problems as data, also of a project that cannot be read', async () => {
    project.write('src/shop/buy.ts', buy('what!: any;'));
    const { code, out, error } = await generate('--json');
    expect([code, error]).toEqual([1, '']);
    const [found] = (JSON.parse(out) as { diagnostics: object[] }).diagnostics;
    expect(found).toMatchObject({ code: 'SVC1001', file: 'src/shop/buy.ts', line: 6 });
    const unreadable = await svc('generate', '--json', '--project', join(project.directory, 'src'));
    expect(JSON.parse(unreadable.out)).toMatchObject({ files: 0, diagnostics: [{ code: 'SVC1402' }] });
  });

  it('prints files that are not up to date with --check', async () => {
    const { code, out } = await generate('--check', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ files: 4, stale: [], diagnostics: [] });
    expect(project.generated()).toEqual({});
  });
});

describe('svc generate --check', () => {
  it('succeeds when everything is up to date', async () => {
    await generate();
    expect(await generate('--check')).toMatchObject({ code: 0, out: '4 generated files, all up to date.' });
  });

  it('lists missing, different and stale files, and changes nothing', async () => {
    await generate();
    rmSync(join(project.directory, 'src/generated/openapi.ts'));
    project.write(
      'src/shop/generated/buy.endpoint.ts',
      `${project.read('src/shop/generated/buy.endpoint.ts')}// edited\n`,
    );
    project.write('src/old/generated/old.json.ts', project.read('src/shop/generated/buy.json.ts'));
    const before = project.generated();
    const { code, error } = await generate('--check');
    expect(code).toBe(1);
    expect(error.split('\n').slice(0, 3)).toEqual([
      'missing    generated/openapi.ts',
      'different  shop/generated/buy.endpoint.ts',
      'stale      old/generated/old.json.ts',
    ]);
    expect(project.generated()).toEqual(before);
  });
});

describe('svc generate --client', () => {
  const sell = buy('what!: string;').replaceAll('Buy', 'Sell').replace("'/buy'", "'/sell'");

  it('writes the client, and reports with --check when it is not up to date', async () => {
    const folder = join(project.directory, 'web');
    expect((await generate('--client', folder)).out).toContain('5 generated files: 5 written');
    expect(project.read('web/shop-client.ts')).toContain('export const buy: CommandOperation<Buy, void>');
    expect((await generate('--client', folder, '--check')).code).toBe(0);

    project.write('src/shop/sell.ts', sell);
    expect((await generate('--client', folder, '--check')).error).toContain('different  ../web/shop-client.ts');
    await generate('--client', folder);
    expect(project.read('web/shop-client.ts')).toContain('export const sell');
    rmSync(join(project.directory, 'src/shop/sell.ts'));
    await generate('--client', folder);
    expect(project.read('web/shop-client.ts')).not.toMatch(/sell/i);

    rmSync(folder, { recursive: true });
    expect((await generate('--client', folder, '--check')).error).toContain('missing    ../web/shop-client.ts');
  });

  it('takes the folder from the settings, relative to package.json', async () => {
    project.write('package.json', JSON.stringify({ name: '@test/shop', type: 'module', svc: { client: 'web/api' } }));
    await generate();
    expect(project.read('web/api/shop-client.ts')).toContain('export const buy');
  });

  it('does not replace a file that it has not written', async () => {
    project.write('web/shop-client.ts', 'export const mine = 1;\n');
    const { code, error } = await generate('--client', join(project.directory, 'web'));
    expect(code).toBe(1);
    expect(error).toContain(
      'web/shop-client.ts:1:1 SVC1407 web/shop-client.ts exists, and svc generate did not write it.',
    );
    expect(project.read('web/shop-client.ts')).toBe('export const mine = 1;\n');
    expect(project.generated()).toEqual({});
  });
});

describe('svc generate --watch', () => {
  it(
    'generates again when a file is changed, added or removed, and stops on a signal',
    { timeout: 60_000 },
    async () => {
      const bin = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url));
      const child = spawn(process.execPath, [bin, 'generate', '--watch', '--project', project.directory]);
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const printed = (text: string | RegExp): Promise<void> =>
        waitFor(
          () => output.match(text) !== null,
          () => output,
        );
      try {
        await printed('Watching for changes');
        project.write('src/shop/buy.ts', buy('what!: string;\n  howMany!: number;'));
        await waitFor(
          () => project.read('src/shop/generated/buy.json.ts').includes('howMany'),
          () => output,
        );

        output = '';
        project.write('src/shop/buy.ts', buy('what!: any;'));
        await printed('SVC10');
        output = '';
        project.write('src/shop/buy.ts', buy('what!: string;'));
        await printed(/\d written/);

        project.write(
          'src/other/sell.ts',
          buy('what!: string;').replaceAll('Buy', 'Sell').replace("'/buy'", "'/sell'"),
        );
        await waitFor(
          () => existsSync(join(project.directory, 'src/other/generated/sell.endpoint.ts')),
          () => output,
        );
        rmSync(join(project.directory, 'src/other/sell.ts'));
        await waitFor(
          () => !existsSync(join(project.directory, 'src/other/generated/sell.endpoint.ts')),
          () => output,
        );
      } finally {
        child.kill('SIGTERM');
      }
      const [code] = (await once(child, 'exit')) as [number];
      expect(code).toBe(0);
    },
  );
});

describe('svc', () => {
  it('prints its help', async () => {
    expect((await svc()).out).toContain('generate');
    expect((await svc('--help')).code).toBe(0);
    expect((await svc('generate', '--help')).out).toContain('--watch');
    expect((await svc('--version')).out).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it.each([
    [['dance'], 'Unknown command "dance"'],
    [['generate', '--loud'], '--loud'],
    [['generate', '--check', '--watch'], 'cannot be combined'],
  ])('rejects %j with a hint', async (args, hint) => {
    const { code, error } = await svc(...args);
    expect(code).toBe(2);
    expect(error).toContain(hint);
  });

  it('reports a folder without a service', async () => {
    const { code, error } = await svc('generate', '--project', join(project.directory, 'src'));
    expect(code).toBe(1);
    expect(error).toMatch(/SVC14\d\d Cannot read package\.json/);
  });

  it('rejects an invalid namespace', async () => {
    project.write('package.json', JSON.stringify({ name: 'x', svc: { namespace: 'a b' } }));
    expect((await generate()).error).toContain('"a b" is not a valid namespace');
  });
});

async function waitFor(condition: () => boolean, output: () => string, limit = 20_000): Promise<void> {
  const deadline = Date.now() + limit;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`Waited ${limit} ms in vain. Output so far:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
