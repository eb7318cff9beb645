/** Tests the guide against the code: its configurations are valid, its rules name existing tests, and it has all strategies. */
import { existsSync, readFileSync } from 'node:fs';
import { run } from '@svc/cli';
import { deployConfig } from '@svc/deploy';
import { strategies } from '@svc/deploy/manifests';
import { describe, expect, it } from 'vitest';

const root = new URL('../../../', import.meta.url);
const guide = readFileSync(new URL('docs/guides/deployment.md', root), 'utf8');
const blocks = (language: string): string[] =>
  [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text);

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('docs/guides/deployment.md', () => {
  it.each(blocks('json'))('shows a configuration that is accepted (%#)', (text) => {
    expect(deployConfig(JSON.parse(text), '/srv').service).toBe('orders');
  });

  it('describes every setting of a cluster and of the checks', () => {
    const kubernetes = { image: 'registry.example/orders' };
    const smoke = { create: { path: '/' }, read: { path: '/' } };
    const unknown = { nonesuch: true };
    const rejected = [
      { service: 'orders', kubernetes: { ...kubernetes, ...unknown } },
      ...[
        unknown,
        { pre: unknown },
        { post: unknown },
        { post: { smoke: { ...smoke, create: { path: '/', ...unknown } } } },
      ].map((checks) => ({ service: 'orders', kubernetes, checks })),
    ];
    for (const value of rejected) {
      const [, known = ''] = /Known settings: (.+)\.$/.exec(messageOf(() => deployConfig(value, '/srv'))) ?? [];
      expect(known).not.toBe('');
      // Settings of checks are named with what they are in; `pre` and `post` are not settings of their own.
      for (const name of known.split(', '))
        expect(guide).toMatch(new RegExp(`^\\| .*\`(?:\\w+\\.)?${name}(?:\\.\\w+)?\``, 'm'));
    }
  });

  it('has every strategy in its table, with the values of the specification', () => {
    const rows = [
      ...guide.matchAll(
        /^\| (Recreate|Rolling update|Blue-green|Canary) +\| (\w+) +\| ([\w ]+?) +\| (\w+) +\| (.+?) +\|$/gm,
      ),
    ];
    expect(rows.map(([, ...cells]) => cells)).toEqual([
      ['Recreate', 'yes', 'high', 'slow', 'low'],
      ['Rolling update', 'no', 'medium', 'medium', 'low'],
      ['Blue-green', 'no', 'low', 'fast', 'high (two full environments)'],
      ['Canary', 'no', 'very low', 'fast', 'medium (needs traffic splitting)'],
    ]);
    for (const strategy of strategies) expect(guide).toContain(`svc deploy ${strategy} --version`);
  });

  it('has a test for each of the nine rules', () => {
    const rules = [...guide.matchAll(/^\| (\d) [^|]+\| (`[^|]+`) +\|$/gm)];
    expect(rules.map(([, number]) => number)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
    for (const [, , files = ''] of rules) {
      for (const [, file] of files.matchAll(/`([^`]+)`/g)) expect(existsSync(new URL(file!, root))).toBe(true);
    }
  });

  it('names only options that the commands have', async () => {
    const lines = [
      ...blocks('sh')
        .join('\n')
        .matchAll(/svc deploy ([a-z-]+)([^&\n]*)/g),
    ];
    expect(lines).not.toEqual([]);
    for (const [, command, rest] of lines) {
      const help: string[] = [];
      await run(['deploy', command!, '--help'], { out: (line) => help.push(line), error: () => {} });
      for (const option of rest!.match(/--[a-z-]+/g) ?? []) expect(help.join('\n')).toContain(option);
    }
  });
});
