import { describe } from 'vitest';
import { importedTypeCodes } from '../diagnostics/imported-type-codes.js';
import { testDiagnostics, type DiagnosticCase } from './testing/diagnostic-case.js';

/** A command with one property that is wrong. */
const wrong = (type: string, more = ''): string =>
  `${more}export class CreateOrder implements Command {\n  good!: string;\n  /*!*/bad!: ${type};\n}\n`;

const cases: readonly DiagnosticCase[] = [
  {
    code: 'SVC1051',
    title: 'a type from a project that is not built',
    source: `import type { Money } from '@shop/shared';\n${wrong('Money[]')}`,
    names: 'CreateOrder.bad is Money[], imported from @shop/shared, which cannot be found',
    fix: 'build it first (tsc -b)',
  },
  {
    code: 'SVC1051',
    title: 'a type from a file that does not exist',
    source: wrong('import("./shared/money.js").Money'),
    names: 'imported from ./shared/money.js',
    fix: 'correct the import',
  },
  {
    code: 'SVC1052',
    title: 'a class of a package',
    source: wrong('import("@svc/core").SystemEventEmitter'),
    names: 'CreateOrder.bad is SystemEventEmitter of @svc/core, which is not plain data',
    fix: 'an interface of your own',
  },
  {
    code: 'SVC1052',
    title: 'a class of a package, as the argument of a generic type',
    source: `interface Page<T> { items: T[] }\n${wrong('Page<import("@svc/core").SystemEventEmitter>')}`,
    names: 'items is SystemEventEmitter of @svc/core',
    fix: 'an interface of your own',
  },
];

describe('a type of another project or package', () => {
  testDiagnostics(cases, importedTypeCodes);
});
