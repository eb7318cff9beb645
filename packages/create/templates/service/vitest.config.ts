import { svc } from '@svc/cli/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Compiles the decorators of commands and perspectives, which Node cannot run.
  plugins: [svc()],
  test: { include: ['src/**/*.test.ts'] },
});
