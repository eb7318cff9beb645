/** The completion scripts, in their shells. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findShell } from '../../tools/shells/binary.mjs';
import { catalog, svc } from './svc.js';

type Shell = 'bash' | 'zsh' | 'fish';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-completion-'));
  writeFileSync(join(folder, 'shop.db'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

function output(shell: Shell, args: readonly string[]): readonly string[] {
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const { stdout, stderr, status } = spawnSync(findShell(shell), args, { cwd: folder, encoding: 'utf8', env });
  expect([status, stderr]).toEqual([0, '']);
  return stdout.split('\n').filter((line) => line !== '');
}

/** What a shell offers after the words of a line, of which the last is incomplete. */
const completers: Readonly<Record<Shell, (script: string, words: readonly string[]) => readonly string[]>> = {
  bash: (script, words) => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const call = `source ${script}; COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return output('bash', ['--norc', '--noprofile', '-c', call]);
  },
  // The functions of zsh that show completions need a terminal; these print them instead.
  zsh: (script, words) => {
    const line = words.map((word) => `'${word}'`).join(' ');
    const shown = `compdef() { :; }
_describe() { local name="\${@[-1]}" one; for one in "\${(@P)name}"; do print -r -- "\${one%%:*}"; done }
_files() { print -rl -- *(N); }
compadd() { shift; print -rl -- "$@"; }`;
    const call = `${shown}\nsource ${script}\nwords=(${line}); CURRENT=${words.length}; _svc`;
    return output('zsh', ['-f', '-c', call]).filter((word) => word.startsWith(words.at(-1)!));
  },
  fish: (script, words) => {
    const lines = output('fish', ['--no-config', '-c', `source ${script}; complete -C '${words.join(' ')}'`]);
    return lines.map((line) => line.split('\t')[0]!);
  },
};

describe.each(Object.keys(completers) as Shell[])('svc completion %s', (shell) => {
  let script: string;
  beforeAll(async () => {
    script = join(folder, `svc.${shell}`);
    writeFileSync(script, `${(await svc(['completion', shell])).out}\n`);
  });
  const after = (...words: string[]): readonly string[] => completers[shell](script, ['svc', ...words]);

  it('completes commands', async () => {
    const commands = (await catalog()).filter(({ path }) => !path.includes(' ')).map(({ path }) => path);
    expect(after('')).toEqual(expect.arrayContaining([...commands, 'help']));
    expect(after('pers')).toEqual(['perspectives']);
    expect(after('help', 'aud')).toEqual(['audit']);
  });

  it('completes subcommands', () => {
    expect(after('perspectives', 're').toSorted()).toEqual(['rebuild', 'remove', 'retry']);
    expect(after('deploy', 'bl')).toEqual(['blue-green']);
  });

  it('completes options, also after arguments and other options', () => {
    expect(after('generate', '--ch')).toEqual(['--check']);
    expect(after('perspectives', 'rebuild', 'Orders', '--detach', '--mo')).toEqual(['--mode']);
    expect(after('perspectives', 'retry', '--mo')).toEqual([]);
    expect(after('--ver')).toEqual(['--version']);
  });

  it('completes values: a choice, a file, an argument', () => {
    expect(after('perspectives', 'rebuild', '--mode', 'In')).toEqual(['InPlace']);
    expect(after('migrate', 'status', '--database', 'sh')).toEqual(['shop.db']);
    expect(after('completion', 'zs')).toEqual(['zsh']);
  });

  it('offers no options where a value is expected', () => {
    expect(after('erase', 'customer-1', '--reason', '')).toEqual([]);
  });
});

it.each([
  ['svc perspectives ', 'retry'],
  ['svc perspectives rebuild --', '--mode'],
])('svc completion zsh shows what can follow %j in a terminal', async (line, shown) => {
  const script = join(folder, 'terminal.zsh');
  writeFileSync(script, (await svc(['completion', 'zsh'])).out);
  const session = `zmodload zsh/zpty
zpty -b session ${findShell('zsh')} -f -i
zpty -w session 'PS1=; autoload -U compinit; compinit -u -D; source ${script}; echo is-$((1 + 1))-loaded'
zpty -r -m session output '*is-2-loaded*'
zpty -w -n session $'${line}\t'
zpty -r -m session output '*${shown} *-- *'
zpty -d session`;
  const { status } = spawnSync(findShell('zsh'), ['-f', '-c', session], { cwd: folder, timeout: 30_000 });
  expect(status).toBe(0);
});

describe('svc completion', () => {
  it('prints the script as JSON, too', async () => {
    const { out } = await svc(['completion', 'bash', '--json']);
    expect(JSON.parse(out)).toEqual({
      shell: 'bash',
      script: expect.stringContaining('complete -F _svc svc') as string,
    });
  });

  it.each([
    [['completion'], 'No shell given. Pass bash, zsh or fish.'],
    [['completion', 'fihs'], 'No script for "fihs". Did you mean fish? Pass bash, zsh or fish.'],
  ])('rejects %j', async (args, message) => {
    const { code, error } = await svc(args);
    expect([code, error]).toEqual([2, expect.stringContaining(message)]);
  });
});
