import { defineConfig } from 'vitest/config';

// Tests import the packages' sources, so that a change is seen without a build; esbuild lowers decorators for es2022.
const conditions = ['svc-source'];

// Vite prefers the copy of graphql that is written as ES modules; Node, and so Mercurius, loads the other one.
const alias = [{ find: /^graphql$/, replacement: 'graphql/index.js' }];

const sources = { esbuild: { target: 'es2022' }, resolve: { conditions, alias }, ssr: { resolve: { conditions } } };

// None is expected to take that long: a machine that does other things as well must not make one fail.
const limits = { testTimeout: 60_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // One private PostgreSQL for all test files, and one private RabbitMQ, which starts when the first of them asks for it.
    globalSetup: ['tests/postgres/global-setup.ts', 'tests/rabbitmq/global-setup.ts'],
    // Half of the tests wait for databases, brokers and processes: all processors can be kept busy.
    maxWorkers: '100%',
    projects: [
      {
        ...sources,
        // They leave nothing behind, so files follow one another in a process that has loaded the sources already.
        test: { ...limits, name: 'packages', include: ['packages/*/src/**/*.test.ts'], isolate: false },
      },
      {
        ...sources,
        test: { ...limits, name: 'whole', include: ['examples/*/src/**/*.test.ts', 'tests/**/*.test.ts'] },
      },
    ],
  },
});
