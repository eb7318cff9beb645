import { inboxOf, SystemEventStream, type MessageRegistry, type TransportPublishFilter } from '../messages/index.js';
import { isSystemMessage, systemNamespace } from '../system-events/index.js';
import type { AcceptedOrigins } from './accepted-origins.js';
import type { ClockLimit } from './clock-limit.js';
import type { CommandAge } from './command-age.js';
import { MessageRejectedError } from './message-rejected-error.js';
import { shown, type OriginProof } from './origin-proof.js';
import { namespaceOf, topicOf } from './topics.js';
import type { ReceivedMessage } from './transport.js';

/** What `Admission` decides by. */
export interface AdmissionParts {
  readonly messages: MessageRegistry;
  readonly filter: TransportPublishFilter;
  /** The name of this host; null: no commands can be sent to it. */
  readonly hostName: string | null;
  /** The origin of the messages that this host publishes. */
  readonly self: string;
  readonly proof: OriginProof;
  /** The accepted origins of events, by namespace. */
  readonly events: ReadonlyMap<string, AcceptedOrigins>;
  /** The accepted origins of commands, by type. */
  readonly commands: ReadonlyMap<string, AcceptedOrigins>;
  readonly commandAge: CommandAge;
  readonly clockLimit: ClockLimit;
}

/** An admitted message. */
export interface Admitted {
  /** The host that it is proven to come from; null: no proof was required, and there is none. */
  readonly origin: string | null;
}

/** The rules for events of one type. */
interface EventRule {
  readonly destination: string;
  readonly isSystem: boolean;
  /** Whether the transport publish filter accepts them. */
  readonly mayEnter: boolean;
  /** Undefined: no host is accepted. */
  readonly origins: AcceptedOrigins | undefined;
}

/**
 * Decides which messages from a broker this host admits, even when dead letters are replayed. It trusts no claim of a message before the
 * transport or a signature has proven it (decision 0067).
 */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #rules = new Map<string, EventRule>();
  readonly #inbox: string | null;
  #unproven = 0;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#inbox = parts.hostName === null ? null : inboxOf(parts.hostName);
    for (const message of parts.messages.all) {
      if (message.kind === 'command') continue;
      const isSystem = isSystemMessage(message);
      const mayEnter = parts.filter.shouldReceiveFromTransport(message.class);
      const origins = mayEnter ? parts.events.get(namespaceOf(message.type)) : undefined;
      this.#rules.set(message.type, { destination: topicOf(message), isSystem, mayEnter, origins });
    }
  }

  /** How many messages were admitted without proof since the start: while it grows, `unprovenHosts` is still needed. */
  get unprovenCount(): number {
    return this.#unproven;
  }

  /** Decides about an event; null: it is not for this host, which published it itself or does not know its type. */
  event(message: ReceivedMessage): Admitted | MessageRejectedError | null {
    const { origin, type, routedType, streamId, destination } = message;
    // The claim may be false, but ignoring a message does no harm.
    if (origin === this.#parts.self) return null;
    if (routedType !== null && routedType !== type) {
      return mismatch(message, `the broker routed it as ${shown(routedType)}`);
    }
    const rule = this.#rules.get(type);
    const isForSystemStream = streamId === SystemEventStream.streamId;
    if (rule === undefined) return this.#unknown(message, isForSystemStream);
    if (rule.isSystem ? rule.origins === undefined || !isForSystemStream : isForSystemStream) {
      return systemMessage(message, rule.isSystem);
    }
    if (!rule.mayEnter) return filtered(message);
    if (destination !== rule.destination) return mismatch(message, `it arrived on the topic ${shown(destination)}`);
    return this.#onTime(message, this.#from(message, rule.origins, 'acceptEvents'));
  }

  /** Decides about a command. `receivedAt`: when it arrived, which is in the past for a dead letter. */
  command(message: ReceivedMessage, receivedAt = Date.now()): Admitted | MessageRejectedError {
    const { type, destination } = message;
    if (destination !== this.#inbox)
      return mismatch(message, `it arrived at ${shown(destination)}, not at the inbox of this host`);
    if (type.startsWith(systemNamespace)) return systemMessage(message, true);
    if (this.#rules.has(type)) return mismatch(message, 'it is an event, but arrived at an inbox');
    const admitted = this.#onTime(message, this.#from(message, this.#parts.commands.get(type), 'acceptCommands'));
    const flaw = admitted instanceof MessageRejectedError ? null : this.#parts.commandAge.flawOf(message, receivedAt);
    return flaw === null ? admitted : new MessageRejectedError('Expired', `Cannot run ${shown(type)}: ${flaw}.`);
  }

  /** New ids of this host are greater than received ones, so an id from the far future must be rejected. */
  #onTime({ id, type }: ReceivedMessage, admitted: Admitted | MessageRejectedError): Admitted | MessageRejectedError {
    const flaw = admitted instanceof MessageRejectedError ? null : this.#parts.clockLimit.flawOf(id);
    return flaw === null ? admitted : new MessageRejectedError('ClockAhead', `Cannot accept ${shown(type)}: ${flaw}.`);
  }

  #unknown(message: ReceivedMessage, isForSystemStream: boolean): MessageRejectedError | null {
    const { type } = message;
    if (isForSystemStream || type.startsWith(systemNamespace)) return systemMessage(message, !isForSystemStream);
    if (this.#parts.messages.findType(type) === undefined) return null;
    return mismatch(message, 'it is a command, but arrived on a topic');
  }

  #from(
    message: ReceivedMessage,
    origins: AcceptedOrigins | undefined,
    declare: 'acceptEvents' | 'acceptCommands',
  ): Admitted | MessageRejectedError {
    const { origin, type } = message;
    if (origins === undefined || !(origins.hosts.has(origin) || origins.acceptsUnproven)) {
      return new MessageRejectedError(
        'OriginNotAccepted',
        `${shown(type)} is not accepted from ${shown(origin)}: no declaration of this host names that host. To accept it, call ${declare}.`,
      );
    }
    const flaw = this.#parts.proof.flawOf(message);
    if (flaw === null) return { origin };
    if (origins.acceptsUnproven) {
      this.#unproven++;
      return { origin: null };
    }
    return new MessageRejectedError(
      'UnprovenOrigin',
      `${shown(type)} is not proven to come from ${shown(origin)}: ${flaw}. Give that host its own broker user, or sign its messages.`,
    );
  }
}

function mismatch({ type }: ReceivedMessage, why: string): MessageRejectedError {
  return new MessageRejectedError('TypeMismatch', `${shown(type)} is not accepted: ${why}.`);
}

function filtered({ type }: ReceivedMessage): MessageRejectedError {
  return new MessageRejectedError(
    'OriginNotAccepted',
    `${shown(type)} is not accepted: a transport publish filter of this host rejects it from every host.`,
  );
}

function systemMessage({ type }: ReceivedMessage, isSystem: boolean): MessageRejectedError {
  return new MessageRejectedError(
    'SystemMessage',
    isSystem
      ? `${shown(type)} is not accepted: this host accepts no system events, or not in this stream. To accept them, call broadcast() and declare their namespace.`
      : `${shown(type)} is not accepted: ${SystemEventStream.name} accepts system events only.`,
  );
}
