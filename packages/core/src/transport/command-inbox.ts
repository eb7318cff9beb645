import type { CommittedAlong, Dispatcher } from '../dispatch/index.js';
import { ServiceError } from '../errors/index.js';
import { parseJson, readOrThrow } from '../json/index.js';
import { schemaVersionKey, type EnvelopeScope, type MessageClass, type MessageRegistry } from '../messages/index.js';
import { runAs, scopeOfValues, type Permission, type SecurityContext } from '../security/index.js';
import type { MessageRecord } from '../storage/index.js';

export interface CommandInboxParts {
  readonly messages: MessageRegistry;
  readonly dispatcher: Dispatcher;
  /** The commands that may come from other hosts. */
  readonly accepted: ReadonlySet<MessageClass>;
}

/** The commands that other hosts send to this one: reads them, and runs them as any other. */
export class CommandInbox {
  readonly #parts: CommandInboxParts;

  constructor(parts: CommandInboxParts) {
    this.#parts = parts;
  }

  /** The command that a message is. Throws when it is none that this host takes from others, or not what its type declares. */
  read({ type, body }: MessageRecord): object {
    const { messages, accepted } = this.#parts;
    const known = messages.findType(type);
    if (known === undefined || !accepted.has(known.class)) {
      throw new ServiceError(
        'SVC_COMMAND_NOT_ACCEPTED',
        `${type} is not among the commands that this host takes from others. Pass its class to acceptCommands, if it should be.`,
      );
    }
    return readOrThrow(known.read, parseJson(body)) as object;
  }

  /** Runs it, and keeps that it is done with in the record of what it changes. */
  async run(command: object, message: MessageRecord, settles: CommittedAlong): Promise<void> {
    const { id, correlationId, causationId, scope } = message;
    const metadata = inherited(message.metadata);
    const received = { id, causationId, settles };
    await runAs(senderOf(scope), () =>
      this.#parts.dispatcher.invoke(command, { scope, correlationId, metadata, received }),
    );
  }
}

/**
 * What the events of the command may take over of its metadata. Not what says of an event how it was kept: somebody else's version would
 * make events that nobody can read.
 */
function inherited(metadata: MessageRecord['metadata']): MessageRecord['metadata'] {
  const { [schemaVersionKey]: _version, origin: _origin, ...rest } = metadata;
  return rest;
}

/**
 * Whoever the envelope names, and nothing that they may do: a message can say that, and nobody here has checked it. Also when it names
 * nobody: whoever can send a message must not become this host by leaving something out.
 */
function senderOf(scope: EnvelopeScope | null): SecurityContext {
  const userName = scope?.['userName'];
  return {
    scope: scope === null ? {} : scopeOfValues(scope),
    roles: new Set<string>(),
    permissions: new Set<Permission>(),
    source: 'inbox',
    ...(typeof userName === 'string' && { userName }),
  };
}
