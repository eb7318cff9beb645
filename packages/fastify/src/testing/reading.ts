import type { MessageClass } from '@svc/core';
import { writeJson, type Issues } from '@svc/core/json';

/** Reads and writes a class whose fields are all strings. */
export function readObject(type: MessageClass) {
  return {
    class: type,
    read: (value: unknown, issues: Issues): object => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) issues.add(null, 'must be an object');
      return Object.assign(new type(), value);
    },
    write: writeJson,
  };
}
