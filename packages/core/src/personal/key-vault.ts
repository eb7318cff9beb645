import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ServiceError } from '../errors/index.js';

/** Wraps the keys of subjects with a key-encryption key that only it knows: a file, an environment variable, or a key management service. */
export interface KeyVault {
  /** Wraps a key of 32 bytes. The text says which key-encryption key unwraps it. */
  wrap(key: Uint8Array): Promise<string>;
  unwrap(wrapped: string): Promise<Uint8Array>;
}

const keyLine = /^([\w-]{1,64}):([A-Za-z0-9+/]{43}=)$/;

/**
 * A vault whose key-encryption keys are in a text of lines `<name>:<32 bytes in base64>`, from a file or an environment variable. The first key wraps
 * new keys; the others still unwrap. Separate lines with line breaks or commas.
 */
export function localKeyVault(text: string): KeyVault {
  const lines = text.split(/[\n,]/).map((line) => line.trim());
  const keys = new Map(lines.filter((line) => line !== '').map(keyOf));
  const [current] = keys.keys();
  if (current === undefined) throw invalid('it has no key');
  return {
    wrap: (key) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keys.get(current)!, iv).setAAD(Buffer.from(current));
      const encrypted = Buffer.concat([iv, cipher.update(key), cipher.final(), cipher.getAuthTag()]);
      return Promise.resolve(`${current}:${encrypted.toString('base64url')}`);
    },
    unwrap: (wrapped) => {
      const [name = '', encrypted = ''] = wrapped.split(':');
      const key = keys.get(name);
      if (key === undefined) return Promise.reject(unavailable(`it has no key "${name}"`));
      const bytes = Buffer.from(encrypted, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(name));
      decipher.setAuthTag(bytes.subarray(-16));
      try {
        return Promise.resolve(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]));
      } catch (cause) {
        return Promise.reject(unavailable(`its key "${name}" is another one than the one that wrapped it`, cause));
      }
    },
  };
}

function keyOf(line: string): [string, Buffer] {
  const [, name, key] = keyLine.exec(line) ?? [];
  if (name === undefined || key === undefined) throw invalid('a line is not <name>:<32 bytes in base64>');
  return [name, Buffer.from(key, 'base64')];
}

function invalid(why: string): ServiceError {
  return new ServiceError(
    'SVC_KEY_VAULT_UNAVAILABLE',
    `The text of the key vault is invalid: ${why}. Create a line with: echo "k1:$(openssl rand -base64 32)".`,
  );
}

/** The error of a vault that cannot unwrap a key. */
export function unavailable(why: string, cause?: unknown): ServiceError {
  return new ServiceError(
    'SVC_KEY_VAULT_UNAVAILABLE',
    `The key vault cannot unwrap the key of a subject: ${why}. Give the vault all key-encryption keys that it had before.`,
    { cause },
  );
}
