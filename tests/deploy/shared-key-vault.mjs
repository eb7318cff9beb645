import { localKeyVault } from '@svc/core';

/** All instances have the same key-encryption key: they share a database. */
export const keyVault = localKeyVault(`k1:${Buffer.alloc(32, 7).toString('base64')}`);
