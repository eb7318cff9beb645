import type { CommittedAlong, Dispatcher } from '../dispatch/index.js';
import { parseJson, readOrThrow } from '../json/index.js';
import { inheritedMetadata, observeId, type EnvelopeScope, type MessageRegistry } from '../messages/index.js';
import { reactionsIn, runAs, scopeOfValues, type Permission, type SecurityContext } from '../security/index.js';
import type { MessageRecord } from '../storage/index.js';
import type { Admitted } from './admission.js';
import { commandScope } from './received-scope.js';

/** Reads and runs admitted commands from other hosts. */
export class CommandInbox {
  readonly #messages: MessageRegistry;
  readonly #dispatcher: Dispatcher;

  constructor(messages: MessageRegistry, dispatcher: Dispatcher) {
    this.#messages = messages;
    this.#dispatcher = dispatcher;
  }

  /** Reads the command of a message. Throws if its body does not match its type. */
  read({ type, body }: MessageRecord): object {
    return readOrThrow(this.#messages.ofType(type).read, parseJson(body)) as object;
  }

  /** Runs a command, and commits `settles` together with its changes. */
  async run(
    command: object,
    message: MessageRecord,
    { origin }: Admitted,
    settles: CommittedAlong,
    attempt: number,
  ): Promise<void> {
    const { id, correlationId, causationId } = message;
    observeId(id);
    const scope = commandScope(message.scope, origin);
    const metadata = inheritedMetadata(message.metadata);
    const received = { id, causationId, attempt, settles };
    await runAs(senderOf(scope), () => this.#dispatcher.invoke(command, { scope, correlationId, metadata, received }));
  }
}

/**
 * The tenant and the user in the envelope, without roles and permissions, which this host has not checked. Never null, even without a tenant
 * and user: a sender must not become the host by omitting them.
 */
function senderOf(scope: EnvelopeScope): SecurityContext {
  const { userName } = scope;
  const reactions = reactionsIn(scope);
  return {
    scope: scopeOfValues(scope),
    roles: new Set<string>(),
    permissions: new Set<Permission>(),
    source: 'inbox',
    ...(typeof userName === 'string' && { userName }),
    ...(reactions.length > 0 && { reactions }),
  };
}
