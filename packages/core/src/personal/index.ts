export { decryptedStorage } from './decrypted-storage.js';
export { localKeyVault, type KeyVault } from './key-vault.js';
export { personalStorage } from './personal-storage.js';
export { ReceivedPersonal } from './received-personal.js';
export { PersonalCipher } from './personal-cipher.js';
export { subjectData, type SubjectData, type SubjectMessage } from './subject-data.js';
export { longestInMemoryMs, SubjectKeys } from './subject-keys.js';
