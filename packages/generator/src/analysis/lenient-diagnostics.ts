import type { ModuleContext } from './module-context.js';
import { lenientCalls } from './types/index.js';

/** Reports calls of `lenient` on something else than a class of the module: they would have no effect. */
export function checkLenientCalls(context: ModuleContext): void {
  const { compilation, file } = context;
  for (const { call, target } of lenientCalls(file, compilation)) {
    if (compilation.symbolAt(target)?.valueDeclaration?.getSourceFile() === file) continue;
    context.report(call, 'SVC1308', target.getText(file));
  }
}
