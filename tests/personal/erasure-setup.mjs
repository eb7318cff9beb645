import { localKeyVault } from '@svc/core';
import { postgres } from '@svc/postgres';
import { sqlite } from '@svc/sqlite';

/** The settings of all hosts of examples/orders that share a database. Leases and keys in memory end soon, so that tests do not wait for them. */
export function erasureSetup(kind, where) {
  return {
    storage:
      kind === 'SQLite'
        ? sqlite({ file: where, leaseMs: 300 })
        : postgres({ url: where, leaseMs: 300, pollMs: 100, onStall: () => {} }),
    keyVault: localKeyVault(`k1:${Buffer.alloc(32, 7).toString('base64')}`),
    keysInMemoryMs: 150,
    server: { logger: false },
  };
}
