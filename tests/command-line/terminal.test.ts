/** Colours and progress: only on a terminal. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { bin, svc } from './svc.js';

const escape = '\u001B[';

/** What svc prints on a terminal. `script` gives it one; stdout and stderr are the same there. */
function onTerminal(args: string, env: Readonly<Record<string, string>> = {}): string {
  const { NO_COLOR: _, ...inherited } = process.env;
  const command = `${process.execPath} ${bin} ${args}`;
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    env: { ...inherited, TERM: 'xterm', ...env },
  });
  return stdout;
}

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  it('headings are bold and errors are red', () => {
    expect(onTerminal('--help')).toContain(`${escape}1mCommands${escape}22m`);
    expect(onTerminal('perspectves')).toContain(`${escape}31mUnknown command`);
  });

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('nothing is coloured with %j', (env) => {
    const text = `${onTerminal('--help', env)}${onTerminal('perspectves', env)}`;
    expect(text).toContain('Did you mean perspectives?');
    // Erasing the live line is not a colour.
    expect(text.replaceAll(`${escape}K`, '')).not.toContain(escape);
  });

  it('an empty NO_COLOR does not count', () => {
    expect(onTerminal('--help', { NO_COLOR: '' })).toContain(`${escape}1m`);
  });
});

describe('in a pipe', () => {
  it('nothing is coloured, and nothing is erased', () => {
    for (const args of [['--help'], ['perspectves'], ['doctor', '--project', '/']]) {
      const { stdout, stderr } = spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
      expect(stdout + stderr).not.toBe('');
      expect(stdout + stderr).not.toContain(escape);
    }
  });
});

describe('a command that takes more than a second', () => {
  /** The live lines of a command whose database accepts the connection, and ends it after more than two seconds. */
  const slow = async (...flags: string[]): Promise<readonly string[]> => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      setTimeout(() => socket.destroy(), 2_500);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const lines: string[] = [];
    const live = (line: string): void => void lines.push(line);
    const { code } = await svc(['migrate', 'status', '--database', `postgres://a:b@127.0.0.1:${port}/c`, ...flags], {
      live,
    });
    server.close();
    expect(code).toBe(6);
    return lines;
  };

  it('shows for how long it has been running', async () => {
    const [first, second] = await slow();
    expect(first).toMatch(/^svc migrate status: [1-9]\d* s$/);
    expect(second).toMatch(/^svc migrate status: \d+ s$/);
  });

  it('shows nothing with --json', async () => {
    expect(await slow('--json')).toEqual([]);
  });
});

it('the package contains what svc reads at run time', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../packages/cli/package.json', import.meta.url), 'utf8')) as {
    files: readonly string[];
  };
  expect(manifest.files).toEqual(expect.arrayContaining(['bin', 'dist', 'explanations.json']));
});
