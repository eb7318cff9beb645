import { StorageUnavailableError } from '@svc/core/storage';
import { capabilitiesOf } from '@svc/core/testing';
import type { DurableStorage } from './storages.js';

/** What is no matter of life and death, or has to end well whatever happens. */
const untouched = new Set<string | symbol>(['define', 'onOutgoing', 'onReleased', 'wakeHolders', 'close']);

/** A host that can die between two calls of its storage, or in one of which it never hears the answer. Others live on. */
export class MortalHost {
  /** Resolves when it has died. */
  readonly died: Promise<void>;
  #die: () => void = () => {};
  #callsLeft = Infinity;

  constructor() {
    this.died = new Promise((resolve) => (this.#die = resolve));
  }

  get isDead(): boolean {
    return this.#callsLeft < 0;
  }

  dieIn(calls: number): void {
    this.#callsLeft = Math.min(this.#callsLeft, calls);
  }

  /** It does not die any more, unless it is dead already. */
  live(): void {
    if (!this.isDead) this.#callsLeft = Infinity;
  }

  storage(inner: DurableStorage): DurableStorage {
    const capabilities = capabilitiesOf(inner).map((name) => [name, this.#mortal(inner[name]!, {})]);
    return this.#mortal(inner, Object.fromEntries(capabilities) as Partial<DurableStorage>);
  }

  #mortal<T extends object>(inner: T, replaced: Partial<T>): T {
    return new Proxy(inner, {
      get: (target, name) => {
        if (name in replaced) return replaced[name as keyof T];
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        if (untouched.has(name)) return value.bind(target) as unknown;
        return (...args: unknown[]): unknown => this.#call(() => value.apply(target, args) as unknown);
      },
    });
  }

  #call(call: () => unknown): unknown {
    if (this.isDead) throw gone();
    this.#callsLeft--;
    if (!this.isDead) return call();
    this.#die();
    // What it asked for last may still be done.
    const answer = call();
    if (answer instanceof Promise) {
      return answer.then(
        () => Promise.reject(gone()),
        () => Promise.reject(gone()),
      );
    }
    throw gone();
  }
}

function gone(): StorageUnavailableError {
  return new StorageUnavailableError('unknown', new Error('This host is dead.'));
}
