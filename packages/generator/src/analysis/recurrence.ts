import { Cron } from 'croner';
import { ts } from './compiler.js';
import type { DecoratorCall } from './decorator-calls.js';
import { readOptions, readText, type OptionText } from './decorator-options.js';
import type { ModuleContext } from './module-context.js';
import { isAbstract, typeText } from './types/index.js';

/** Checks the uses of `recurring`. The service reads them at start. */
export function checkRecurring(context: ModuleContext): void {
  for (const use of context.program.recurringCalls.in(context.file)) {
    const fault = targetFault(use, context);
    if (fault === null) checkUse(use, context);
    else context.report(use.call, 'SVC2001', use.targetName, fault);
  }
}

function targetFault({ target }: DecoratorCall, { file, program }: ModuleContext): string | null {
  const node = target?.valueDeclaration;
  if (target === undefined || node === undefined || !ts.isClassLike(node)) return 'is not a class';
  if (node.getSourceFile() !== file) return 'is a class of another module';
  if (!program.heritage.kindsOf(target).has('command')) return 'does not implement Command';
  return isAbstract(node) ? 'is abstract' : null;
}

function checkUse({ call, target, targetName }: DecoratorCall, context: ModuleContext): void {
  const options = readOptions(call, context.checker);
  const read = (option: 'cron' | 'timeZone'): OptionText | null =>
    readText(options.get(option), ({ type, node }) =>
      context.report(node, 'SVC2002', option, targetName, typeText(type, context.compilation)),
    );
  const cron = read('cron');
  const timeZone = read('timeZone');
  const fault = cron === null ? null : cronFault(cron.value);
  if (cron !== null && fault !== null) context.report(cron.node, 'SVC2003', cron.value, targetName, fault);
  if (timeZone !== null && !isTimeZone(timeZone.value)) {
    context.report(timeZone.node, 'SVC2004', timeZone.value, targetName);
  }
  const required = requiredProperties(target!, context);
  if (required.length > 0) context.report(call, 'SVC2005', targetName, required.join(', '));
}

function requiredProperties(command: ts.Symbol, context: ModuleContext): string[] {
  const id = context.readClass(context.checker.getDeclaredTypeOfSymbol(command));
  const type = context.program.types.drafts.get(id)?.type;
  if (type?.kind !== 'object') return [];
  return type.properties.filter(({ presence }) => presence === 'required').map(({ name }) => name);
}

/** The same rules as those of core, which rejects the declaration at start. */
function cronFault(cron: string): string | null {
  if (!/^\S+(?: \S+){4,5}$/.test(cron)) return 'it must have five or six fields, separated by one space';
  try {
    return new Cron(cron).nextRun() === null ? 'it is never due' : null;
  } catch (error) {
    return (error as Error).message.replace(/\.$/, '');
  }
}

function isTimeZone(timeZone: string): boolean {
  try {
    Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}
