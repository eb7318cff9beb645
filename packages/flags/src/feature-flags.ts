import { newId, noteForAudit, type MessageContext } from '@svc/core';
import {
  NOOP_PROVIDER,
  OpenFeature,
  type Client,
  type EvaluationContext,
  type Provider,
} from '@openfeature/server-sdk';
import { FileFlagProvider } from './file-flag-provider.js';

/**
 * Lets receptors ask whether a feature is released. On any error the answer is false, so that new behaviour stays off. The answer is
 * added to the metadata of the command's audit record as `flag.<name>`.
 */
export class FeatureFlags {
  readonly #client: Client;
  readonly #provider: Provider;

  private constructor(client: Client, provider: Provider) {
    this.#client = client;
    this.#provider = provider;
  }

  /** Reads flags from a file or any OpenFeature provider. Resolves once flags can be evaluated; rejects if the file is invalid. */
  static async of(source: string | Provider): Promise<FeatureFlags> {
    const provider = typeof source === 'string' ? new FileFlagProvider(source) : source;
    // A unique domain, so that two services in one process do not share flags.
    const domain = `svc-${newId()}`;
    await OpenFeature.setProviderAndWait(domain, provider);
    return new FeatureFlags(OpenFeature.getClient(domain), provider);
  }

  /** For a host without flags: every flag is off. */
  static allOff(): Promise<FeatureFlags> {
    return FeatureFlags.of(NOOP_PROVIDER);
  }

  /** Whether a flag is on for the sender of the message. */
  async isOn(flag: string, context: MessageContext): Promise<boolean> {
    const value = await this.#client.getBooleanValue(flag, false, evaluationContext(context));
    noteForAudit(context, `flag.${flag}`, value);
    return value;
  }

  /** The OpenFeature client, for its events and hooks. */
  get client(): Client {
    return this.#client;
  }

  /** Stops watching the provider. Flags retain their last values. */
  async close(): Promise<void> {
    await this.#provider.onClose?.();
  }
}

/** What providers can target by: the acting user and the tenant. */
function evaluationContext({ envelope }: MessageContext): EvaluationContext {
  const scope = envelope.scope ?? {};
  const known = Object.entries(scope).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const targetingKey = scope['userId'] ?? scope['tenantId'];
  const attributes = Object.fromEntries(known);
  return typeof targetingKey === 'string' ? { ...attributes, targetingKey } : attributes;
}
