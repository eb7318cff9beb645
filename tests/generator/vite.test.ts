import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runnerImport, type PluginOption, type UserConfig } from 'vite-8';
import { Guide } from '../documentation/guides/guide.js';
import { TemporaryProject } from './temporary-project.js';

/** `Command` is a type that is imported without `type`: the compiler of a service removes it, and so must the plugin. */
const lendBook = `import { Command } from './missing.js';

const served = (route: string) => (target: Function, { name }: ClassDecoratorContext) => {
  Object.assign(target, { served: \`\${name} at \${route}\` });
};

/** Lends a book. */
@served('/books/lend')
export class LendBook implements Command {
  bookId!: string;
  weeks: number = 4;
}
`;

describe('decorators in Vite 8', () => {
  const project = new TemporaryProject({
    'src/lend-book.ts': lendBook,
    'vitest.config.ts': new Guide('own-service.md').files['vitest.config.ts']!,
  });
  afterAll(() => project.remove());

  const load = async (file: string, plugins: PluginOption[] = []): Promise<Record<string, unknown>> => {
    const resolve = { conditions: ['svc-source'], noExternal: [/^@svc\//] };
    const config = { configFile: false, root: project.directory, logLevel: 'silent', plugins, resolve } as const;
    return (await runnerImport<Record<string, unknown>>(join(project.directory, file), config)).module;
  };

  it('run with the configuration of the guide', async () => {
    const { plugins } = (await load('vitest.config.ts'))['default'] as UserConfig;
    const { LendBook } = (await load('src/lend-book.ts', plugins)) as { LendBook: new () => object };
    expect(LendBook).toHaveProperty('served', 'LendBook at /books/lend');
    expect(new LendBook()).toEqual({ bookId: undefined, weeks: 4 });
  });

  it('are a syntax error without the plugin', async () => {
    await expect(load('src/lend-book.ts')).rejects.toThrow(SyntaxError);
  });
});
