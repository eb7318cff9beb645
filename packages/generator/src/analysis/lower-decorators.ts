import { ts } from './compiler.js';

/** JavaScript that Node can run, and its source map. */
export interface Lowered {
  readonly code: string;
  readonly map: string;
}

/**
 * Compiles a TypeScript module with decorators to JavaScript without them, as the compiler does for es2022. It removes types without checking them.
 * Null: the text has no decorators.
 */
export function lowerDecorators(text: string, fileName: string): Lowered | null {
  if (!text.includes('@')) return null;
  const { outputText, sourceMapText = '' } = ts.transpileModule(text, {
    fileName,
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      sourceMap: true,
      inlineSources: true,
    },
  });
  // The map is returned beside the code.
  const end = outputText.lastIndexOf('//# sourceMappingURL=');
  return { code: end === -1 ? outputText : outputText.slice(0, end), map: sourceMapText };
}
