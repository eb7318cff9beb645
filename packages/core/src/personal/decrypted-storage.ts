import type { Storage } from '../storage/index.js';
import type { KeyVault } from './key-vault.js';
import { PersonalCipher } from './personal-cipher.js';
import { personalStorage } from './personal-storage.js';
import { SubjectKeys } from './subject-keys.js';

/** A storage whose personal values are decrypted with the keys of a vault when they are read. */
export function decryptedStorage(storage: Storage, vault: KeyVault): Storage {
  const { subjectKeys } = storage;
  return subjectKeys === undefined
    ? storage
    : personalStorage(storage, new PersonalCipher(new SubjectKeys(subjectKeys, vault)));
}
