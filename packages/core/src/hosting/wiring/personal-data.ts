import { ServiceError } from '../../errors/index.js';
import type { MessageRegistry } from '../../messages/index.js';
import { personalStorage, PersonalCipher, ReceivedPersonal, SubjectKeys } from '../../personal/index.js';
import type { Storage } from '../../storage/index.js';
import { asWritten, type OpenCommand, type PrepareEvent } from '../../transport/index.js';
import type { Registrations } from '../registrations.js';
import type { ServiceRegistry } from '../service-registry.js';

/** What a service with personal data needs for one database. */
export interface PersonalData {
  readonly keys: SubjectKeys;
  readonly cipher: PersonalCipher;
  readonly received: ReceivedPersonal;
  /** The storage with encrypted values. */
  readonly raw: Storage;
  /** The storage that encrypts and decrypts. */
  readonly storage: Storage;
}

interface PersonalParts {
  readonly registry: ServiceRegistry<never>;
  readonly registrations: Registrations;
  readonly messages: MessageRegistry;
}

/** Null: the service has no personal data. Throws if it has, and cannot encrypt them. */
export function personalData(
  { registry, registrations, messages }: PersonalParts,
  storage: Storage,
): PersonalData | null {
  const { keyVault } = registrations;
  if (!messages.hasPersonal && !hasPersonalModels(registry)) return null;
  if (keyVault === null) {
    throw new ServiceError(
      'SVC_KEY_VAULT_MISSING',
      'The service has Personal data, but no key vault. Call useKeyVault(localKeyVault(…)), or use a vault of your own.',
    );
  }
  if (storage.subjectKeys === undefined) {
    throw new ServiceError(
      'SVC_KEY_VAULT_MISSING',
      'The service has Personal data, but its storage stores no keys of subjects. Use one with the capability "subjectKeys", such as postgres or sqlite.',
    );
  }
  const keys = new SubjectKeys(storage.subjectKeys, keyVault, registrations.keysInMemoryMs);
  const cipher = new PersonalCipher(keys);
  const received = new ReceivedPersonal(messages, cipher);
  return { keys, cipher, received, raw: storage, storage: personalStorage(storage, cipher) };
}

function hasPersonalModels({ perspectives = [], deciders = [] }: ServiceRegistry<never>): boolean {
  return [...perspectives, ...deciders].some(({ hasPersonal }) => hasPersonal === true);
}

/** Decrypts the personal values of commands. */
export function openerOf(personal: PersonalData | null): OpenCommand {
  if (personal === null) return asWritten;
  const { cipher, received } = personal;
  return {
    own: async (body) => await cipher.decryptText(body),
    received: async (type, body) => await received.command(type, body),
  };
}

/** How received events are prepared to be stored; null: none has personal data. */
export function prepareEventsOf(personal: PersonalData | null): PrepareEvent | null {
  return personal === null ? null : (message) => personal.received.event(message);
}

/** The names of the perspectives that process events with personal data. */
export function personalPerspectives(
  { perspectives = [] }: ServiceRegistry<never>,
  messages: MessageRegistry,
): readonly string[] {
  return perspectives
    .filter(({ events }) => events.some((event) => messages.find(event)?.hasPersonal === true))
    .map(({ name }) => name);
}
