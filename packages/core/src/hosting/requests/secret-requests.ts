import { hideSecrets } from '../../errors/index.js';
import { hiddenSecret } from '../../json/index.js';
import type { ReadyEndpoint, RequestHandler } from '../service-registry.js';

/** Removes the secrets of a request from the errors of an endpoint: those of its hooks, which no dispatcher sees. */
export function hidingSecrets(
  endpoint: RequestHandler,
  secretsOf: NonNullable<ReadyEndpoint['secretsOf']>,
): RequestHandler {
  return {
    async handle(request: object, cancellation) {
      // Found first: a hook may remove them from the request.
      const secrets = secretsOf(request);
      try {
        return await endpoint.handle(request, cancellation);
      } catch (error) {
        throw hideSecrets(error, secrets);
      }
    },
  };
}

/** A request as sent, with a replacement for each secret: a stored hash of a short secret could be reversed by trying all of them. */
export function sentWithoutSecrets(sent: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return sent;
  if (typeof sent === 'string') return secrets.includes(sent) ? hiddenSecret : sent;
  if (Array.isArray(sent)) return sent.map((item: unknown) => sentWithoutSecrets(item, secrets));
  if (typeof sent !== 'object' || sent === null) return sent;
  return Object.fromEntries(Object.entries(sent).map(([key, item]) => [key, sentWithoutSecrets(item, secrets)]));
}
