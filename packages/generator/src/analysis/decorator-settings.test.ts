import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { afterAll, describe, expect, it } from 'vitest';
import { readConfiguration } from './configuration.js';
import { ProjectPaths } from './project.js';
import { ServiceFixture } from './testing/service-fixture.js';

/** The compiler of a service, which is another one than that of the generator. */
const compiler = createRequire(new URL('../../../../package.json', import.meta.url))
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc');

const decorated = `const mark = (target: any, _?: unknown) => void Object.assign(target, { marked: true });
@mark
class Order {
  lines: number[] = [];
}
if (!(Order as any).marked || new Order().lines.length !== 0) throw new Error('not decorated');
`;

describe('compiler options and decorators', () => {
  const fixture = new ServiceFixture({ 'src/main.ts': decorated });
  const paths = new ProjectPaths(fixture.project);
  afterAll(() => fixture[Symbol.dispose]());

  const faultsWith = (compilerOptions: object) => {
    fixture.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['src'] }));
    return readConfiguration(fixture.project, paths).decoratorFaults;
  };

  /** Whether Node runs what the compiler writes. */
  const runs = () => {
    const compiled = spawnSync(process.execPath, [compiler, '-p', fixture.directory], { encoding: 'utf8' });
    expect(compiled.stdout).toBe('');
    return spawnSync(process.execPath, [fixture.path('dist/main.js')]).status === 0;
  };

  it.each([
    ['run', {}],
    ['run', { target: 'es2015' }],
    ['run', { target: 'es2025' }],
    ['fail', { target: 'esnext' }],
    ['run', { target: 'esnext', useDefineForClassFields: false }],
    ['run', { target: 'esnext', experimentalDecorators: true }],
    ['fail', { target: 'es2022', noEmitHelpers: true }],
  ])('decorators %s with %j, and failures are reported', (outcome, options) => {
    const all = { module: 'nodenext', lib: ['es2022'], types: [], outDir: 'dist', rootDir: 'src', ...options };
    expect(faultsWith(all).map(({ code }) => code)).toEqual(outcome === 'run' ? [] : ['SVC1406']);
    expect(runs()).toBe(outcome === 'run');
  });

  it('reports nothing if another tool compiles, or if the functions of decorators are imported', () => {
    expect(faultsWith({ target: 'esnext', noEmit: true })).toEqual([]);
    expect(faultsWith({ target: 'esnext', emitDeclarationOnly: true, declaration: true })).toEqual([]);
    expect(faultsWith({ noEmitHelpers: true, importHelpers: true })).toEqual([]);
  });

  it('points to the setting, also in a tsconfig that is extended', () => {
    fixture.write('base.json', '{\n  "compilerOptions": {\n    "target": "ESNext"\n  }\n}');
    fixture.write('tsconfig.json', JSON.stringify({ extends: './base.json', include: ['src'] }));
    const [fault] = readConfiguration(fixture.project, paths).decoratorFaults;
    expect(fault).toMatchObject({ file: 'base.json', line: 3, column: 15 });
    expect(faultsWith({ target: 'es2022', noEmitHelpers: true })).toMatchObject([
      { file: 'tsconfig.json', message: expect.stringContaining('Remove it.') },
    ]);
  });
});
