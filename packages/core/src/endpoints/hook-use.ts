/**
 * How a hook has to be called. Making an abort signal costs more than the rest of an execution, so none is made for a hook that
 * nobody overrides, nor for one that cannot see it.
 */
export type HookUse = 'unused' | 'without signal' | 'with signal';

type Hook = (...args: never[]) => unknown;

/** `signalPosition` is the index of the signal among the hook's parameters. */
export function hookUse(hook: Hook, base: Hook, signalPosition: number): HookUse {
  if (hook === base) return 'unused';
  return canSee(hook, signalPosition) ? 'with signal' : 'without signal';
}

/** A function that declares fewer parameters, without defaults or a rest, and never says `arguments`, cannot see the others. */
function canSee(hook: Hook, position: number): boolean {
  if (hook.length > position) return true;
  const source = Function.prototype.toString.call(hook);
  const parameters = source.slice(0, source.indexOf('{'));
  return /\.\.\.|=(?!>)|\[native code\]/.test(parameters) || /\barguments\b|\[native code\]/.test(source);
}
