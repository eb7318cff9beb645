/**
 * How a hook must be called. Creating an abort signal costs more than the rest of an execution, so a hook that is not overridden, or that
 * has no parameter for the signal, gets none.
 */
export type HookUse = 'unused' | 'without signal' | 'with signal';

/** `name` is a method of both; `signalPosition` is the index of the signal among its parameters. */
export function hookUse(endpoint: object, base: object, name: string, signalPosition: number): HookUse {
  const hook: unknown = Reflect.get(endpoint, name);
  if (hook === Reflect.get(base, name)) return 'unused';
  return typeof hook === 'function' && !canSee(hook, signalPosition) ? 'without signal' : 'with signal';
}

/** A function with fewer parameters, without defaults, a rest parameter or `arguments`, cannot read the signal. */
function canSee(hook: { readonly length: number }, position: number): boolean {
  if (hook.length > position) return true;
  const source = Function.prototype.toString.call(hook);
  const parameters = source.slice(0, source.indexOf('{'));
  return /\.\.\.|=(?!>)|\[native code\]/.test(parameters) || /\barguments\b|\[native code\]/.test(source);
}
