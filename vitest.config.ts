import { defineConfig } from 'vitest/config';

// Tests import the packages' sources, so that a change is seen without a build; esbuild lowers decorators for es2022.
const conditions = ['svc-source'];

export default defineConfig({
  esbuild: { target: 'es2022' },
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'examples/*/src/**/*.test.ts', 'tests/**/*.test.ts'],
    // One private PostgreSQL for all test files.
    globalSetup: ['tests/postgres/global-setup.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
