import { SourceMap } from 'node:module';
import { afterAll, describe, expect, it } from 'vitest';
import { ServiceFixture } from '../analysis/testing/service-fixture.js';
import { decorators } from './decorators.js';

const decorated = '@mark\nexport class A {\n  b!: string;\n}\n';

describe('the plugin for Vite', () => {
  const fixtures: ServiceFixture[] = [];
  afterAll(() => fixtures.forEach((fixture) => fixture[Symbol.dispose]()));

  const compile = (compilerOptions: object, code = decorated) => {
    const fixture = new ServiceFixture({ 'tsconfig.json': JSON.stringify({ compilerOptions }) });
    fixtures.push(fixture);
    return decorators().transform(code, fixture.path('src/a.ts'));
  };

  it.each(['es2022', 'es2024', 'esnext', undefined])('compiles decorators of a project with target %s', (target) => {
    const compiled = compile({ target });
    expect(compiled?.code).not.toMatch(/^\s*@mark/m);
    expect(compiled?.code).toMatch(/^\s*b;$/m);
    expect(compiled?.code).not.toContain('sourceMappingURL');
  });

  it('declares fields as the project does', () => {
    expect(compile({ target: 'es2022', useDefineForClassFields: false })?.code).not.toMatch(/^\s*b;$/m);
  });

  it('writes ES modules with their source map', () => {
    const compiled = compile({ module: 'commonjs', declaration: true, composite: true, noEmit: true });
    const { code, map } = compiled!;
    expect(code).toContain('export');
    const line = code.split('\n').findIndex((text) => /^\s*b;$/.test(text));
    const place = new SourceMap(JSON.parse(map)).findEntry(line, code.split('\n')[line]!.indexOf('b'));
    expect(place).toMatchObject({ originalLine: 2, originalColumn: 2 });
  });

  it('leaves other files to Vite', () => {
    const plugin = decorators();
    expect(plugin.transform('export const a = 1;', '/a.ts')).toBeNull();
    expect(plugin.transform(decorated, '/a.js')).toBeNull();
    expect(plugin.transform(decorated, '/node_modules/a/a.ts')).toBeNull();
    expect(plugin.transform(decorated, '/a.ts?v=1')).not.toBeNull();
  });
});
