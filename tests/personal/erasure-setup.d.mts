import type { KeyVault } from '@svc/core';
import type { PerspectiveStorage, Storage, StorageSubjectKeys } from '@svc/core/storage';

export declare function erasureSetup(
  kind: string,
  where: string,
): {
  readonly storage: Storage & { readonly subjectKeys: StorageSubjectKeys; readonly perspectives: PerspectiveStorage };
  readonly keyVault: KeyVault;
  readonly keysInMemoryMs: number;
  readonly server: { readonly logger: false };
};
