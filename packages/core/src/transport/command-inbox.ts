import type { CommittedAlong, Dispatcher } from '../dispatch/index.js';
import { parseJson, readOrThrow } from '../json/index.js';
import { inheritedMetadata, observeId, type EnvelopeScope, type MessageRegistry } from '../messages/index.js';
import { runAs, scopeOfValues, type Permission, type SecurityContext } from '../security/index.js';
import type { MessageRecord } from '../storage/index.js';
import type { Admitted } from './admission.js';
import { commandScope } from './received-scope.js';

/** The commands that other hosts send to this one: reads them, and runs them as any other. Both are for those that were admitted. */
export class CommandInbox {
  readonly #messages: MessageRegistry;
  readonly #dispatcher: Dispatcher;

  constructor(messages: MessageRegistry, dispatcher: Dispatcher) {
    this.#messages = messages;
    this.#dispatcher = dispatcher;
  }

  /** The command that a message is. Throws when its body is not what its type declares. */
  read({ type, body }: MessageRecord): object {
    return readOrThrow(this.#messages.ofType(type).read, parseJson(body)) as object;
  }

  /** Runs it for the first time, or once more, and commits that it is done with in the record of what it changes. */
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
 * The tenant and the user that the envelope names, without roles and permissions, which no one has checked here. Also when it names none: a
 * sender must not become this host by leaving something out.
 */
function senderOf(scope: EnvelopeScope): SecurityContext {
  const { userName } = scope;
  return {
    scope: scopeOfValues(scope),
    roles: new Set<string>(),
    permissions: new Set<Permission>(),
    source: 'inbox',
    ...(typeof userName === 'string' && { userName }),
  };
}
