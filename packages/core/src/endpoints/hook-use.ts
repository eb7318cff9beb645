/** The hooks of an endpoint, by the names of their methods. */
export type HookName = 'mapRequestToCommand' | 'onBeforeExecute' | 'dispatchCommand' | 'onAfterExecute' | 'onError';

/** The hooks that the class of an endpoint overrides, and whether they take the signal, as the generator read them. */
export type OverriddenHooks = Readonly<Partial<Record<HookName, Exclude<HookUse, 'unused'>>>>;

/**
 * How a hook has to be called. Making an abort signal costs more than the rest of an execution, so none is made for a hook that is not
 * overridden, nor for one that does not take it.
 */
export type HookUse = 'unused' | 'without signal' | 'with signal';

/** A hook that the generator did not list is called with the signal, unless `endpoint` has that of `base`. */
export function hookUse(endpoint: object, base: object, name: HookName, listed: OverriddenHooks): HookUse {
  return listed[name] ?? (Reflect.get(endpoint, name) === Reflect.get(base, name) ? 'unused' : 'with signal');
}
