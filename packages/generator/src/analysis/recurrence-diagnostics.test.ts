import { describe } from 'vitest';
import { scheduleCodes } from '../diagnostics/schedule-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';

const command = (options: string, body = '', at = '@'): string =>
  `${at}recurring(${options})\nexport class CleanUp implements Command {${body}}\nexport class R implements Receptor<CleanUp> { receive() {} }\n`;

const cases: readonly DiagnosticCase[] = [
  {
    code: 'SVC2001',
    title: 'a recurring event',
    source: `@/*!*/recurring({ cron: '0 3 * * *' })\nexport class OrderPlaced implements Event { a!: string }\n`,
    names: 'recurring is used on OrderPlaced, which does not implement Command',
    fix: 'implements Command',
  },
  {
    code: 'SVC2001',
    title: 'an abstract recurring class',
    source: `@/*!*/recurring({ cron: '0 3 * * *' })\nexport abstract class Base implements Command {}\n`,
    names: 'Base, which is abstract',
    fix: 'Use it on an exported class',
  },
  {
    code: 'SVC2001',
    title: 'a call outside the module of the command',
    source: {
      'a.ts':
        'export class CleanUp implements Command {}\nexport class R implements Receptor<CleanUp> { receive() {} }\n',
      'b.ts': `import { CleanUp } from './a.js';\n/*!*/recurring({ cron: '0 3 * * *' })(CleanUp);\n`,
    },
    names: 'CleanUp, which is a class of another module',
    fix: 'of the same module',
  },
  {
    code: 'SVC2002',
    title: 'an expression that is not a literal',
    source: `const cron: string = process.title;\n${command('{ cron: /*!*/cron as string }')}`,
    names: 'The cron of CleanUp is string',
    fix: "cron: '0 3 * * *'",
  },
  ...[
    ['an unknown word', 'every day please now then', 'CronPattern'],
    ['too few fields', '0 3 * *', 'five or six fields'],
    ['a nickname', '@daily', 'five or six fields'],
    ['a value out of range', '61 3 * * *', 'CronPattern'],
    ['a day that never comes', '0 0 31 2 *', 'never due'],
  ].map(([what, cron, names]) => ({
    code: 'SVC2003' as const,
    title: `an expression with ${what}`,
    source: command(`{ cron: /*!*/'${cron}' }`),
    names: names!,
    fix: 'Write five fields',
  })),
  {
    code: 'SVC2004',
    title: 'an unknown time zone',
    source: command(`{ cron: '0 3 * * *', timeZone: /*!*/'Europe/Atlantis' }`),
    names: '"Europe/Atlantis" of CleanUp is not a time zone',
    fix: 'such as Europe/Berlin or UTC',
  },
  {
    code: 'SVC2005',
    title: 'required properties',
    source: command(`{ cron: '0 3 * * *' }`, ' a!: string; b?: string; c = 1; d!: number ', '@/*!*/'),
    names: 'CleanUp recurs, but a, d is required',
    fix: 'Make it optional, initialize it',
  },
];

describe('an invalid recurring command', () => {
  testDiagnostics(cases, scheduleCodes);
});
