import { expect, it } from 'vitest';
import type { CommandDescription } from './description.js';
import { parseArguments } from './parse.js';

const description: CommandDescription = {
  arguments: { file: { summary: 'a file', isRepeated: true } },
  options: {
    key: { value: '<key>', summary: 'trust this key', isRepeated: true },
    quiet: { summary: 'print nothing' },
  },
  examples: {},
  exitCodes: {},
  json: null,
  load: () => Promise.reject(new Error('It is not run.')),
};

const parse = (...args: string[]) => parseArguments('verify', description, args);

it('accepts the value of an option that begins with a dash', () => {
  const { options, positionals } = parse('--key', '-ab_', '--key=-cd', '--quiet', 'file', '--key', 'e-f');
  expect(options.texts('key')).toEqual(['-ab_', '-cd', 'e-f']);
  expect(positionals).toEqual(['file']);
});

it('takes no option for a value', () => {
  expect(() => parse('--key', '--quiet')).toThrow(/'--key' argument is ambiguous/);
  expect(() => parse('--quiet', '-ab')).toThrow("Unknown option '-a'.");
  expect(parse('--', '--key', '-ab').positionals).toEqual(['--key', '-ab']);
});
