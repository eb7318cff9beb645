import { run as runCommand } from '@svc/cli';
import { describe, expect, it, vi } from 'vitest';
import { catalog, svc } from './svc.js';

const entries = await catalog();

describe('a typing error', () => {
  it.each([
    [['generrate'], 'Unknown command "generrate". Did you mean generate?'],
    [['persp'], 'Did you mean perspectives?'],
    [['AUDIT'], 'Did you mean audit?'],
    [['perspectives', 'rebiuld', 'A'], 'Unknown command "svc perspectives rebiuld". Did you mean rebuild?'],
    [['deploy', 'cannary'], 'Did you mean canary?'],
    [['migrate', 'status', '--databse', 'x'], "Unknown option '--databse'. Did you mean --database?"],
    [['dead-letters', 'list', '--casue=Expired'], "Unknown option '--casue'. Did you mean --cause?"],
    [['generate', '--chekc'], 'Did you mean --check?'],
  ])('%j is answered with the most similar name', async (args, message) => {
    const { code, out, error } = await svc(args);
    expect([code, out]).toEqual([2, '']);
    expect(error).toContain(message);
    expect(error).toMatch(/\n\nRun svc .*--help for details\.$/);
  });

  it.each([[['x']], [['frobnicate']], [['y'.repeat(100_000)]], [['constructor']], [['perspectives', 'toString']]])(
    'that resembles no name is answered without a suggestion: %#',
    async (args) => {
      const { code, error } = await svc(args);
      expect(code).toBe(2);
      expect(error).toContain('Unknown command');
      expect(error).not.toContain('Did you mean');
    },
  );

  it.each(entries.filter(({ options }) => options.length > 0))(
    'in an option of svc $path is an error of every command',
    async ({ path }) => {
      const { code, error } = await svc([...path.split(' '), '--helpp']);
      expect([code, error]).toEqual([2, expect.stringContaining("Unknown option '--helpp'. Did you mean --help?")]);
    },
  );
});

describe('an option', () => {
  it('that needs a value, and has none, is an error', async () => {
    const { code, error } = await svc(['migrate', 'status', '--database']);
    expect([code, error]).toEqual([2, expect.stringContaining("'--database <value>' argument missing")]);
  });

  it('after -- is an argument', async () => {
    const { code, error } = await svc(['migrate', 'rollback', '--database', 'nowhere.db', '--', '--help']);
    expect([code, error]).toEqual([2, expect.stringContaining('Database file nowhere.db does not exist.')]);
  });
});

describe('an unexpected error', () => {
  const run = async (args: readonly string[]): Promise<{ code: number; error: string }> => {
    const error: string[] = [];
    const out = (): void => {
      throw new Error('The disk is full. postgres://ann:hunter2@db');
    };
    const code = await runCommand(args, { out, error: (line) => void error.push(line) });
    return { code, error: error.join('\n') };
  };

  it('is reported in one message without a stack trace or a secret', async () => {
    const { code, error } = await run(['completion', 'bash']);
    expect(code).toBe(1);
    expect(error).toMatch(
      /^Unexpected error in svc completion: Error: The disk is full\. postgres:\/\/\*\*\*@db\n\nRun it again/,
    );
    expect(error).not.toMatch(/^ +at |hunter2/m);
  });

  it('is one JSON object with --json', async () => {
    const { error } = await run(['completion', 'bash', '--json']);
    expect(JSON.parse(error)).toEqual({ message: expect.stringMatching(/^Unexpected error/) as string, exitCode: 1 });
  });

  it('outside of a command is reported as well', async () => {
    const { code, error } = await run(['--help']);
    expect([code, error]).toEqual([1, expect.stringMatching(/^Unexpected error in svc: Error: The disk is full/)]);
  });

  it('has its stack trace with SVC_DEBUG=1', async () => {
    vi.stubEnv('SVC_DEBUG', '1');
    try {
      expect((await run(['completion', 'bash'])).error).toMatch(/\n {4}at /);
      const { message } = JSON.parse((await run(['completion', 'bash', '--json'])).error) as { message: string };
      expect(message).toMatch(/\n {4}at /);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('--json', () => {
  it('prints an error as one JSON object on stderr', async () => {
    const { code, out, error } = await svc(['migrate', 'status', '--json', '--database', 'nowhere.db']);
    expect([code, out]).toEqual([2, '']);
    expect(JSON.parse(error)).toEqual({
      message: expect.stringContaining('nowhere.db does not exist.') as string,
      exitCode: 2,
    });
  });

  it('prints a mistake in the command as JSON, too', async () => {
    const { error } = await svc(['migrate', 'statsu', '--json']);
    expect(JSON.parse(error)).toMatchObject({ message: expect.stringContaining('Did you mean status?') as string });
  });

  it('is an option of every command, except svc dev, which is for a person at a terminal', () => {
    const without = entries.filter(({ commands, json }) => commands.length === 0 && json === null);
    expect(without.map(({ path }) => path)).toEqual(['dev']);
  });
});
