import { AsyncResource } from 'node:async_hooks';

/** Without any asynchronous context, because they are created when the program loads. One for each nested call. */
const empty = [new AsyncResource('SvcDetached')];
let depth = 0;

/**
 * Runs an action, and everything it starts, outside of the asynchronous context of its caller: without its span, its security context and
 * every other `AsyncLocalStorage`. For work that a caller starts but does not wait for.
 */
export function detached<T>(action: () => T): T {
  const own = empty[depth++]!;
  try {
    return own.runInAsyncScope(() => {
      // On Node 20, contexts that the action enters are stored in `own`, so a nested call needs another one, created before.
      empty[depth] ??= new AsyncResource('SvcDetached');
      return action();
    });
  } finally {
    depth--;
  }
}
