import { inboxOf, SystemEventStream, type MessageRegistry, type TransportPublishFilter } from '../messages/index.js';
import { isSystemMessage, systemNamespace } from '../system-events/index.js';
import type { AcceptedOrigins } from './accepted-origins.js';
import type { ClockLimit } from './clock-limit.js';
import type { CommandAge } from './command-age.js';
import { MessageRejectedError } from './message-rejected-error.js';
import { shown, type OriginProof } from './origin-proof.js';
import { namespaceOf, topicOf } from './topics.js';
import type { ReceivedMessage } from './transport.js';

export interface AdmissionParts {
  readonly messages: MessageRegistry;
  readonly filter: TransportPublishFilter;
  /** The name of this host; null: it has none that commands could be sent to. */
  readonly hostName: string | null;
  /** What this host calls itself in the messages that it publishes. */
  readonly self: string;
  readonly proof: OriginProof;
  /** Whose events are accepted, by namespace. */
  readonly events: ReadonlyMap<string, AcceptedOrigins>;
  /** Whose commands are accepted, by type. */
  readonly commands: ReadonlyMap<string, AcceptedOrigins>;
  readonly commandAge: CommandAge;
  readonly clockLimit: ClockLimit;
}

/** A message that may enter this host. */
export interface Admitted {
  /** The host that it is proven to come from; null: no proof was asked for, and there is none. */
  readonly origin: string | null;
}

/** What is asked of the events of one type. */
interface EventRule {
  readonly destination: string;
  readonly isSystem: boolean;
  /** Whether the filter lets them in. */
  readonly mayEnter: boolean;
  /** Undefined: they are accepted from no host. */
  readonly origins: AcceptedOrigins | undefined;
}

const unproven: Admitted = Object.freeze({ origin: null });

/**
 * The one guard between brokers and this host, for what arrives and for dead letters that are replayed. It believes nothing that a message
 * says of itself before the transport or a signature has proven it (decision 0067).
 */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #rules = new Map<string, EventRule>();
  readonly #inbox: string | null;
  readonly #proven = new Map<string, Admitted>();
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

  /** How often a message was admitted without a proof, since the start: while it grows, `unprovenHosts` is still needed. */
  get unprovenCount(): number {
    return this.#unproven;
  }

  /** Whether the event may enter; null: it is not for this host, which published it itself or does not know its type. */
  event(message: ReceivedMessage): Admitted | MessageRejectedError | null {
    const { origin, type, routedType, streamId, destination } = message;
    // Also where another sender says so: what is left alone does no harm.
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
    if (destination !== rule.destination) return mismatch(message, `it came on the topic ${shown(destination)}`);
    return this.#onTime(message, this.#from(message, rule.origins, 'acceptEvents'));
  }

  /** Whether the command may be run. `receivedAt`: when it came, which is before now for a dead letter. */
  command(message: ReceivedMessage, receivedAt = Date.now()): Admitted | MessageRejectedError {
    const { type, destination } = message;
    if (destination !== this.#inbox)
      return mismatch(message, `it came to ${shown(destination)}, not to this host's inbox`);
    if (type.startsWith(systemNamespace)) return systemMessage(message, true);
    if (this.#rules.has(type)) return mismatch(message, 'it is an event, and came to an inbox');
    const admitted = this.#onTime(message, this.#from(message, this.#parts.commands.get(type), 'acceptCommands'));
    const flaw = admitted instanceof MessageRejectedError ? null : this.#parts.commandAge.flawOf(message, receivedAt);
    return flaw === null ? admitted : new MessageRejectedError('Expired', `${shown(type)} is not run: ${flaw}.`);
  }

  /** Ids that are made here follow those that were received, so one from far in the future must not enter. */
  #onTime({ id, type }: ReceivedMessage, admitted: Admitted | MessageRejectedError): Admitted | MessageRejectedError {
    const flaw = admitted instanceof MessageRejectedError ? null : this.#parts.clockLimit.flawOf(id);
    return flaw === null ? admitted : new MessageRejectedError('ClockAhead', `${shown(type)} is rejected: ${flaw}.`);
  }

  #unknown(message: ReceivedMessage, isForSystemStream: boolean): MessageRejectedError | null {
    const { type } = message;
    if (isForSystemStream || type.startsWith(systemNamespace)) return systemMessage(message, !isForSystemStream);
    if (this.#parts.messages.findType(type) === undefined) return null;
    return mismatch(message, 'it is a command, and came on a topic');
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
        `${shown(type)} is not accepted from ${shown(origin)}: no declaration names that host for it. Call ${declare}, if it should be.`,
      );
    }
    const flaw = this.#parts.proof.flawOf(message);
    if (flaw === null) return this.#provenFrom(origin);
    if (origins.acceptsUnproven) {
      this.#unproven++;
      return unproven;
    }
    return new MessageRejectedError(
      'UnprovenOrigin',
      `${shown(type)} is not proven to come from ${shown(origin)}: ${flaw}. Let that host publish as its own broker user, or sign its messages.`,
    );
  }

  /** The same for all messages of a host. */
  #provenFrom(origin: string): Admitted {
    let known = this.#proven.get(origin);
    if (known === undefined) this.#proven.set(origin, (known = Object.freeze({ origin })));
    return known;
  }
}

function mismatch({ type }: ReceivedMessage, why: string): MessageRejectedError {
  return new MessageRejectedError('TypeMismatch', `${shown(type)} is not accepted: ${why}.`);
}

function filtered({ type }: ReceivedMessage): MessageRejectedError {
  return new MessageRejectedError(
    'OriginNotAccepted',
    `${shown(type)} is not accepted: a transport publish filter of this host refuses it, from whichever host it comes.`,
  );
}

function systemMessage({ type }: ReceivedMessage, isSystem: boolean): MessageRejectedError {
  return new MessageRejectedError(
    'SystemMessage',
    isSystem
      ? `${shown(type)} is not accepted: it is a system event, and this host takes none, or not into this stream. Call broadcast() and declare the namespace, if it should.`
      : `${shown(type)} is not accepted: it is for ${SystemEventStream.name}, which takes system events alone.`,
  );
}
