/** The reader of the tutorial itself: what it understands of a page, and what it reports. */
import { afterEach, describe, expect, it } from 'vitest';
import { OutsideFolder } from '../outside-folder.js';
import { isAmong, isAsShown } from './printed.js';
import { Reader } from './reader.js';
import { stepsOf } from './tutorial-page.js';

const block = (language: string, ...lines: string[]): string => ['```' + language, ...lines, '```', ''].join('\n');
const steps = (...parts: string[]): ReturnType<typeof stepsOf> => stepsOf(parts.join('\n'), 'page.md');

describe('a page', () => {
  it('has commands with their output, files, changes, and what the first terminal shows', () => {
    const page = [
      'Run it in the first terminal:\n',
      block('sh', 'npm run dev'),
      'Write `src/a.ts`:\n',
      block('ts', 'a();'),
      'Change `src/a.ts`:\n',
      block('diff', ' x', '-a();', '+b();'),
      block('sh', 'echo 1'),
      block('text', '1'),
      'The first terminal shows:\n',
      block('text', 'Restarted'),
      'Press Ctrl-C.',
    ];
    expect(steps(...page)).toEqual([
      { kind: 'start', line: 3, commands: 'npm run dev', printed: null },
      { kind: 'write', line: 9, path: 'src/a.ts', text: 'a();\n' },
      { kind: 'edit', line: 15, path: 'src/a.ts', before: 'x\na();', after: 'x\nb();' },
      { kind: 'run', line: 21, commands: 'echo 1', printed: '1' },
      { kind: 'watch', line: 31, printed: 'Restarted' },
      { kind: 'stop', line: 35 },
    ]);
  });

  it('is rejected if an output has no command, or a file no path', () => {
    expect(() => steps('Then:\n', block('text', '1'))).toThrow('page.md:3: no command prints this.');
    expect(() => steps('A file:\n', block('ts', 'a();'))).toThrow('page.md:3: the paragraph before a file must end');
  });
});

describe('an output', () => {
  it('is as shown if it differs in ids, times and durations only, or where the page has an ellipsis', () => {
    expect(isAsShown('took 1 ms', '\u001b[32mtook 412 ms\u001b[39m\n')).toBe(true);
    expect(isAsShown('…\na … c\n…', '1\n2\na b c\n3')).toBe(true);
    expect(isAsShown('…\na', 'a')).toBe(true);
    expect(isAsShown('a', 'a\nb')).toBe(false);
    expect(isAsShown('a.c', 'abc')).toBe(false);
    expect(isAmong('  + event', 'POST\n  + event')).toBe(true);
    expect([isAmong('b\nc', 'a\nb\nc\nd'), isAmong('b\nd', 'a\nb\nc\nd')]).toEqual([true, false]);
  });
});

describe('the reader', () => {
  let folder: OutsideFolder;
  let reader: Reader;
  afterEach(async () => {
    await reader.leave();
    folder.remove();
  });
  const follow = (...parts: string[]): Promise<unknown> => {
    folder = new OutsideFolder('none', { 'library/src/a.ts': 'a();\na();\n' });
    reader = new Reader(folder, { nine: '9' });
    return reader.follow({ path: 'docs/tutorial/x.md', steps: steps(...parts) });
  };

  it('shares variables between blocks, and uses what the machine has instead of what the page names', async () => {
    const page = [block('sh', 'A=nine'), block('sh', 'test $A = 9', 'echo $A'), block('text', 'nine')];
    expect(await follow(...page)).toHaveLength(2);
  });

  it('names the page and the line of another output, a failed command, and a change that does not fit', async () => {
    await expect(follow(block('sh', 'echo a'), block('text', 'b'))).rejects.toThrow(/^docs\/tutorial\/x\.md:1: /);
    await reader.leave();
    await expect(follow('Fails:\n', block('sh', 'false', 'true'))).rejects.toThrow(
      'docs/tutorial/x.md:3: The commands failed:\nfalse\ntrue',
    );
    await reader.leave();
    await expect(follow('Change `src/a.ts`:\n', block('diff', '-a();', '+b();'))).rejects.toThrow(
      'docs/tutorial/x.md:3: src/a.ts must contain this once, not 2 times:',
    );
  });
});
