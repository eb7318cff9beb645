import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type Plugin } from 'vitest/config';
import { LongestFirst } from './tests/longest-first.js';
import { SlowestFiles } from './tests/slowest-files.js';
import { entryPoints } from './tools/api/exports.mjs';

// Tests import the packages' sources, so that a change is seen without a build; esbuild lowers decorators for es2022.
const sources = entryPoints(import.meta.dirname).map(({ specifier, file }) => ({
  find: new RegExp(`^${specifier}$`),
  replacement: file,
}));

// Vite prefers the copy of graphql that is written as ES modules; Node, and so graphql-jit, loads the other one.
const graphql = { find: /^graphql$/, replacement: 'graphql/index.js' };

/** Transformed sources are cached by their text, the settings below and these. */
const compilerOptions = readFileSync(new URL('tsconfig.base.json', import.meta.url), 'utf8');
const cacheKey: Plugin = {
  name: 'cache-key',
  configureVitest: (context) => context.experimental_defineCacheKeyGenerator(() => compilerOptions),
};

export default defineConfig({
  plugins: [cacheKey],
  esbuild: { target: 'es2022' },
  resolve: { alias: [...sources, graphql] },
  test: {
    include: ['packages/*/{src,browser}/**/*.test.ts', 'examples/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    // One private PostgreSQL for all test files, and one private RabbitMQ, which starts when the first of them asks for it.
    globalSetup: [
      'tests/temporary-folder.ts',
      'tests/postgres/global-setup.ts',
      'tests/rabbitmq/global-setup.ts',
      'tests/packages/global-setup.ts',
    ],
    setupFiles: ['tests/forget-ids.ts', 'tests/stop-services.ts'],
    // A third of the time, test files wait for databases, brokers and processes: with two more than there are processors, all are busy.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    reporters: ['default', new SlowestFiles()],
    // Files leave nothing behind, so they follow one another in a process that has loaded the sources already.
    isolate: false,
    // Names of cases are shown whole, so that one can be found and run by its name.
    chaiConfig: { truncateThreshold: 0 },
    // None is expected to take that long: a machine that does other things as well must not make one fail.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // A run transforms only sources that have changed since the last one.
    experimental: { fsModuleCache: true },
  },
});
