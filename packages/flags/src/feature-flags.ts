import { newId, noteForAudit } from '@svc/core';
import type { MessageContext } from '@svc/core/hosting';
import {
  NOOP_PROVIDER,
  OpenFeature,
  type Client,
  type EvaluationContext,
  type Provider,
} from '@openfeature/server-sdk';
import { FileFlagProvider } from './file-flag-provider.js';

/**
 * Asked by receptors whether a feature is released. Whatever goes wrong, the answer is false: new behaviour ships dark. The answer
 * is noted in the metadata of the command's audit record, as `flag.<name>`.
 */
export class FeatureFlags {
  readonly #client: Client;
  readonly #provider: Provider;

  private constructor(client: Client, provider: Provider) {
    this.#client = client;
    this.#provider = provider;
  }

  /** With the flags of a file, or of any provider of OpenFeature. Resolves once they can be asked; a broken file is thrown here. */
  static async of(source: string | Provider): Promise<FeatureFlags> {
    const provider = typeof source === 'string' ? new FileFlagProvider(source) : source;
    // A domain of its own: two services in one process do not share their flags.
    const domain = `svc-${newId()}`;
    await OpenFeature.setProviderAndWait(domain, provider);
    return new FeatureFlags(OpenFeature.getClient(domain), provider);
  }

  /** For a host that has no flags: each of them is off. */
  static allOff(): Promise<FeatureFlags> {
    return FeatureFlags.of(NOOP_PROVIDER);
  }

  /** Whether a flag is on for whoever sent the message. */
  async isOn(flag: string, context: MessageContext): Promise<boolean> {
    const value = await this.#client.getBooleanValue(flag, false, evaluationContext(context));
    noteForAudit(context, `flag.${flag}`, value);
    return value;
  }

  /** The client itself, for its events and hooks. */
  get client(): Client {
    return this.#client;
  }

  /** Ends the provider's watching; flags keep their last values. */
  async close(): Promise<void> {
    await this.#provider.onClose?.();
  }
}

/** What providers can target by: who acts, and for whom. */
function evaluationContext({ envelope }: MessageContext): EvaluationContext {
  const scope = envelope.scope ?? {};
  const known = Object.entries(scope).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const targetingKey = scope['userId'] ?? scope['tenantId'];
  const attributes = Object.fromEntries(known);
  return typeof targetingKey === 'string' ? { ...attributes, targetingKey } : attributes;
}
