import type { Operation, Parameter } from './openapi-types.js';

export const idempotencyKeyParameter: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes it safe to send the request again: within 24 hours the same key gets the first answer, and the command runs once. A new key for each new request.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

/** Every command can be sent under an idempotency key. */
export function withIdempotencyKey(operation: Operation): Operation {
  return { ...operation, parameters: [...(operation.parameters ?? []), idempotencyKeyParameter] };
}
