import type { Operation, Parameter } from './openapi-types.js';

export const idempotencyKeyParameter: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the request safe to repeat: for 24 hours the same key returns the first response, and the command runs once. Use a new key for each new request.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

/** Every command accepts an idempotency key. */
export function withIdempotencyKey(operation: Operation): Operation {
  return { ...operation, parameters: [...(operation.parameters ?? []), idempotencyKeyParameter] };
}
