import { ts } from './compiler.js';
import type { DecoratorCall } from './decorator-calls.js';
import type { Located } from './facts.js';
import type { ModuleContext } from './module-context.js';
import { isAbstract } from './types/index.js';

/** The same rule as that of core. */
const shape = /^[A-Za-z][A-Za-z0-9]*(?:[.-][A-Za-z0-9]+)*\.[A-Za-z_]\w*$/;
const longest = 250;

/** Reports uses of `storedAs` that have no effect. */
export function checkStoredAsCalls(context: ModuleContext): void {
  for (const use of context.program.storedAsCalls.in(context.file)) {
    const fault = targetFault(use, context);
    if (fault !== null) context.report(use.call, 'SVC1309', use.targetName, fault);
  }
}

function targetFault({ target }: DecoratorCall, { file, program }: ModuleContext): string | null {
  const node = target?.valueDeclaration;
  if (target === undefined || node === undefined || !ts.isClassLike(node)) return 'is not a class';
  if (node.getSourceFile() !== file) return 'is a class of another module';
  if (program.heritage.kindsOf(target).size === 0) return 'is neither a command nor an event';
  return isAbstract(node) ? 'is abstract' : null;
}

/** The type that `storedAs` sets for a message class; null: none, or one that is reported. */
export function readStoredType(message: ts.Symbol, name: string, context: ModuleContext): Located<string> | null {
  const use = context.program.storedAsCalls.of(message);
  const argument = use?.call.arguments[0];
  if (use === undefined || argument === undefined) return null;
  const type = context.checker.getTypeAtLocation(argument);
  const value = type.isStringLiteral() ? type.value : null;
  if (value !== null && isValid(value)) return context.located({ value, node: argument });
  const fault = value === null ? 'the generator cannot read its value' : faultOf(value);
  context.report(argument, 'SVC1310', name, argument.getText(context.file), fault);
  return null;
}

function isValid(type: string): boolean {
  return type.length <= longest && shape.test(type) && !isReserved(type);
}

/** Types of svc. */
function isReserved(type: string): boolean {
  return type.startsWith('svc.');
}

function faultOf(type: string): string {
  return isReserved(type) ? 'types of svc begin with svc.' : 'it is not a namespace and a name';
}
