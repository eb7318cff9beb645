import { decorators } from '@svc/generator/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Compiles the decorators of commands and perspectives, which Node cannot run.
  plugins: [decorators()],
  test: { include: ['src/**/*.test.ts'] },
});
