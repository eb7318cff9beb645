import { describe, expect, it } from 'vitest';
import { ProgramAnalyzer } from './program-analyzer.js';
import { coreSources, imports, ServiceFixture } from './testing/service-fixture.js';

const source = `${imports}export class Create implements Command { a!: string }\n`;

describe('a project that cannot be read', () => {
  it('SVC1401: there is no tsconfig', () => {
    using fixture = new ServiceFixture({ 'src/a.ts': source });
    fixture.remove('tsconfig.json');
    const { diagnostics, model } = fixture.analyze();
    expect(diagnostics).toMatchObject([{ code: 'SVC1401', file: 'tsconfig.json', line: 1, column: 1 }]);
    expect(diagnostics[0]?.message).toContain('tsconfig.json cannot be read');
    expect(diagnostics[0]?.message).toContain('Create it');
    expect(model.messages).toEqual([]);
  });

  it('SVC1403: the tsconfig has a wrong option', () => {
    using fixture = new ServiceFixture({
      'src/a.ts': source,
      'tsconfig.json': `{
  "compilerOptions": { "target": "es1", "module": "nodenext", "paths": ${JSON.stringify(coreSources)} }
}`,
    });
    const { diagnostics, model } = fixture.analyze();
    expect(diagnostics).toMatchObject([{ code: 'SVC1403', file: 'tsconfig.json', line: 2, column: 34 }]);
    expect(diagnostics[0]?.message).toContain('Fix it');
    expect(model.messages).toHaveLength(1);
  });

  it('SVC1403: the tsconfig is not JSON', () => {
    using fixture = new ServiceFixture({ 'src/a.ts': source, 'tsconfig.json': '{\n  "include": [}\n' });
    const { diagnostics } = fixture.analyze();
    expect(diagnostics).toMatchObject([{ code: 'SVC1403', file: 'tsconfig.json', line: 2, column: 15 }]);
  });

  it('SVC1403: the tsconfig names no files', () => {
    using fixture = new ServiceFixture({});
    const { diagnostics } = fixture.analyze();
    expect(diagnostics).toMatchObject([{ code: 'SVC1403', file: 'tsconfig.json', line: 1, column: 1 }]);
    expect(diagnostics[0]?.message).toContain('No inputs were found');
  });

  it('SVC1404: a source file has a syntax error, and the others are read', () => {
    using fixture = new ServiceFixture({ 'src/a.ts': source, 'src/b.ts': 'export const a = 1;\nexport const b = ;\n' });
    const { diagnostics, model } = fixture.analyze();
    expect(diagnostics).toMatchObject([{ code: 'SVC1404', file: 'src/b.ts', line: 2, column: 18 }]);
    expect(diagnostics[0]?.message).toContain('Fix it');
    expect(model.messages.map(({ name }) => name)).toEqual(['Create']);
  });

  it('SVC1406: a compiler option breaks decorators, if there are any', () => {
    using fixture = new ServiceFixture({
      'src/a.ts': `${imports}@lenient\nexport class Create implements Command { a!: string }\n`,
      'tsconfig.json':
        '{\n  "compilerOptions": { "module": "nodenext", "customConditions": ["svc-source"], "target": "ESNext" }\n}',
    });
    const { diagnostics } = fixture.analyze();
    expect(diagnostics).toMatchObject([{ code: 'SVC1406', file: 'tsconfig.json', line: 2, column: 92 }]);
    expect(diagnostics[0]?.message).toContain('Set "target" to "es2022"');
    fixture.write('src/a.ts', source);
    expect(fixture.analyze().diagnostics).toEqual([]);
  });

  it('SVC1405: @svc/core is not installed', () => {
    using fixture = new ServiceFixture({
      'src/a.ts': source,
      'tsconfig.json': JSON.stringify({ compilerOptions: { module: 'nodenext' }, include: ['src'] }),
    });
    // Outside of this repository, where no package of that name is found.
    const directory = '/nonexistent';
    const analyzer = new ProgramAnalyzer({ ...fixture.project, directory, sourceRoot: `${directory}/src` });
    const { diagnostics } = analyzer.analyze();
    expect(diagnostics.filter(({ code }) => code === 'SVC1405')).toMatchObject([
      { file: 'package.json', line: 1, column: 1, message: expect.stringContaining('npm install @svc/core') },
    ]);
  });
});
