import type { HeldLease, StorageLeases } from '../../storage/index.js';

/** The leases of a database that several hosts share. */
export class SharedLeases {
  readonly holders = new Map<string, string>();
  readonly expiresInMs = new Map<string, number>();
  /** The lanes that a host took, renewed or released, in this order. */
  readonly calls: string[] = [];
  /** Called before each read. */
  beforeRead = (): void => {};

  of(holder: string): StorageLeases & { released(): void } {
    const listeners: (() => void)[] = [];
    return {
      hold: (lane) => {
        this.calls.push(`${holder} holds ${lane}`);
        if (!this.holders.has(lane)) this.holders.set(lane, holder);
        return Promise.resolve(this.holders.get(lane) === holder);
      },
      release: (lane) => {
        this.calls.push(`${holder} releases ${lane}`);
        this.holders.delete(lane);
        return Promise.resolve();
      },
      readHeld: (prefix) => {
        this.beforeRead();
        const held = [...this.holders].filter(([lane]) => lane.startsWith(prefix));
        return Promise.resolve(held.map(([lane, one]) => this.#leaseOf(lane, one, one === holder)));
      },
      onReleased: (listener) => void listeners.push(listener),
      released: () => {
        for (const listener of listeners) listener();
      },
    };
  }

  #leaseOf(lane: string, holder: string, isOwn: boolean): HeldLease {
    return { lane, holder, process: `process of ${holder}`, isOwn, expiresInMs: this.expiresInMs.get(lane) ?? 30_000 };
  }
}
