import { dirname } from 'node:path';
import { ts } from '../analysis/index.js';
import { lowered } from './lowered-options.js';

/** The part of a Vite plugin that {@link decorators} has. It is a plugin of Vite 7 and 8, Vitest and Rolldown. */
export interface DecoratorsPlugin {
  readonly name: string;
  /** Before the transformer of Vite, which leaves decorators as they are. */
  readonly enforce: 'pre';
  /** Compiles a TypeScript module that may have decorators; null for any other. */
  transform(code: string, id: string): { code: string; map: string } | null;
}

/**
 * A plugin for Vite and Vitest that compiles decorators, which Node cannot run and Vite 8 does not compile. It uses the options of the
 * tsconfig next to or above each file.
 */
export function decorators(): DecoratorsPlugin {
  const options = new Map<string, ts.CompilerOptions>();
  return {
    name: 'svc:decorators',
    enforce: 'pre',
    transform(code, id) {
      const [fileName = id] = id.split('?');
      if (!code.includes('@') || !/\.[cm]?ts$/.test(fileName) || fileName.includes('/node_modules/')) return null;
      const folder = dirname(fileName);
      const compilerOptions = options.get(folder) ?? lowered(folder);
      options.set(folder, compilerOptions);
      const { outputText, sourceMapText = '' } = ts.transpileModule(code, { fileName, compilerOptions });
      // Vite combines the source map itself; the comment would refer to a file that does not exist.
      return { code: outputText.replace(/\n\/\/# sourceMappingURL=.*$/, ''), map: sourceMapText };
    },
  };
}
