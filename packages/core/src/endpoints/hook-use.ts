/**
 * How a hook has to be called. Making an abort signal costs more than the rest of an execution, so none is made for a hook that
 * nobody overrides, nor for one that cannot see it.
 */
export type HookUse = 'unused' | 'without signal' | 'with signal';

/** `name` is a method of both; `signalPosition` is the index of the signal among its parameters. */
export function hookUse(endpoint: object, base: object, name: string, signalPosition: number): HookUse {
  const hook: unknown = Reflect.get(endpoint, name);
  if (hook === Reflect.get(base, name)) return 'unused';
  return typeof hook === 'function' && !canSee(hook, signalPosition) ? 'without signal' : 'with signal';
}

/** A function that declares fewer parameters, without defaults or a rest, and never says `arguments`, cannot see the others. */
function canSee(hook: { readonly length: number }, position: number): boolean {
  if (hook.length > position) return true;
  const source = Function.prototype.toString.call(hook);
  const parameters = source.slice(0, source.indexOf('{'));
  return /\.\.\.|=(?!>)|\[native code\]/.test(parameters) || /\barguments\b|\[native code\]/.test(source);
}
