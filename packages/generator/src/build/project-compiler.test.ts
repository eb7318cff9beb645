import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ProjectCompiler } from './project-compiler.js';

const options = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022'],
  types: [],
  strict: true,
  rootDir: 'src',
  outDir: 'dist',
};

let directory: string;
let compiler: ProjectCompiler;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'svc-compile-'));
  write('package.json', '{ "type": "module" }');
  write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['src'] }));
  write('src/price.ts', 'export const price = (amount: number) => ({ amount });\n');
  write('src/order.ts', "import { price } from './price.js';\nexport const total = price(1).amount + 1;\n");
  write('src/main.ts', "import { total } from './order.js';\nexport const shown: string = total.toFixed(2);\n");
  write('src/order.test.ts', 'export const untested: string = 1;\n');
  compiler = new ProjectCompiler({
    directory,
    namespace: 'shop',
    client: null,
    documents: null,
    sourceRoot: join(directory, 'src'),
    tsconfig: join(directory, 'tsconfig.json'),
  });
});
afterEach(() => rmSync(directory, { recursive: true }));

function write(path: string, text: string): string {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), text);
  return join(directory, path);
}
const output = (path: string): string => readFileSync(join(directory, 'dist', path), 'utf8');
const change = (path: string, text: string) => compiler.compile(new Set([write(path, text)]));
const errorsOf = ({ errors }: ReturnType<ProjectCompiler['compile']>): string[] =>
  errors.map((error) => error.format());

describe('ProjectCompiler', () => {
  it('writes the sources without the tests, then only what changed', () => {
    // Each with its source map.
    expect(compiler.compile()).toEqual({ errors: [], written: 6 });
    expect(existsSync(join(directory, 'dist/order.test.js'))).toBe(false);
    expect(change('src/price.ts', 'export const price = (amount: number) => ({ amount: amount * 2 });\n').written).toBe(
      2,
    );
    expect(output('price.js')).toContain('amount * 2');
    expect(compiler.compile(new Set()).written).toBe(0);
  });

  it('reports errors with their place, and writes nothing until they are fixed', () => {
    compiler.compile();
    const before = output('price.js');
    const broken = change('src/price.ts', "export const price = (amount: number) => ({ amount: amount - '1' });\n");
    expect(errorsOf(broken)).toEqual([
      "src/price.ts:1:62 TS2363 The right-hand side of an arithmetic operation must be of type 'any', 'number', 'bigint' or an enum type.",
    ]);
    // Another change does not hide the error.
    expect(errorsOf(change('src/main.ts', 'export const shown = 1;\n'))).toEqual(errorsOf(broken));
    expect([output('price.js'), output('main.js')]).toEqual([before, expect.not.stringContaining('= 1') as string]);
    expect(change('src/price.ts', 'export const price = (amount: number) => ({ amount });\n')).toMatchObject({
      errors: [],
    });
    expect(output('main.js')).toContain('shown = 1');
  });

  it('checks modules that import a changed type through others', () => {
    compiler.compile();
    const changed = change('src/price.ts', 'export const price = (amount: number) => ({ amount: String(amount) });\n');
    expect(errorsOf(changed)).toEqual([
      "src/main.ts:2:36 TS2551 Property 'toFixed' does not exist on type 'string'. Did you mean 'fixed'?",
    ]);
    expect(errorsOf(change('src/price.ts', 'export const price = (amount: number) => ({ amount });\n'))).toEqual([]);
  });

  it('finds added and removed modules', () => {
    compiler.compile();
    const main = write('src/main.ts', "export { tax } from './tax.js';\n");
    expect(errorsOf(compiler.compile(new Set([main])))[0]).toContain(
      "src/main.ts:1:21 TS2307 Cannot find module './tax.js'",
    );
    expect(errorsOf(change('src/tax.ts', 'export const tax = 0.2;\n'))).toEqual([]);
    expect(output('tax.js')).toContain('0.2');
    rmSync(join(directory, 'src/tax.ts'));
    expect(errorsOf(compiler.compile(new Set([join(directory, 'src/tax.ts')])))[0]).toContain('TS2307');
  });

  it('checks everything after a change of a global declaration', () => {
    write('src/globals.ts', 'export {};\ndeclare global { var rate: number }\n');
    write('src/tax.ts', 'export const tax: number = rate;\n');
    expect(errorsOf(compiler.compile())).toEqual([]);
    const changed = change('src/globals.ts', 'export {};\ndeclare global { var rate: string }\n');
    expect(errorsOf(changed)).toEqual(["src/tax.ts:1:14 TS2322 Type 'string' is not assignable to type 'number'."]);
  });

  it('names the file that a source becomes, and requires an outDir', () => {
    expect(compiler.outputOf(join(directory, 'src/main.ts'))).toBe(join(directory, 'dist/main.js'));
    write('tsconfig.json', JSON.stringify({ compilerOptions: { ...options, outDir: undefined }, include: ['src'] }));
    expect(errorsOf(compiler.compile())).toEqual([
      'tsconfig.json:1:1 Set "outDir" in the compiler options, such as "dist".',
    ]);
    write('tsconfig.json', '{ "compilerOptions": { "target": "es1" } }');
    expect(errorsOf(compiler.compile())[0]).toContain("TS6046 Argument for '--target' option must be");
  });
});
