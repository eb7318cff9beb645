import { lowerDecorators } from '@svc/generator';

/** What Vite needs of a plugin that compiles modules. */
export interface VitePlugin {
  readonly name: string;
  readonly enforce: 'pre';
  transform(code: string, id: string): { readonly code: string; readonly map: string } | null;
}

/**
 * A plugin for Vite and Vitest that compiles the decorators of TypeScript modules: `plugins: [svc()]`. Vite removes types but leaves decorators, which
 * Node cannot run.
 */
export function svc(): VitePlugin {
  return {
    name: 'svc',
    // Before Vite removes the types.
    enforce: 'pre',
    transform(code, id) {
      const [path = ''] = id.split('?');
      return /\.[cm]?ts$/.test(path) && !path.includes('/node_modules/') ? lowerDecorators(code, path) : null;
    },
  };
}
