import { ServiceError } from '../../errors/index.js';
import type { MessageClass, MessageDescriptor, MessageRegistry, TransportPublishFilter } from '../../messages/index.js';
import { isSystemMessage } from '../../system-events/index.js';
import {
  AcceptedOrigins,
  Admission,
  CommandAge,
  hostsOf,
  namespaceOf,
  OriginProof,
  signingKey,
  verifyingKey,
  type CheckedKey,
  type ClockLimit,
  type CommandAcceptance,
  type EventAcceptance,
  type SigningKey,
  type Transport,
  type VerifyingKey,
} from '../../transport/index.js';

/** The keys by which messages of a host, or of several, are verified. */
export interface MessageVerification {
  readonly from: string | readonly string[];
  /** Several while keys are replaced: the sender signs with one of them. */
  readonly keys: readonly VerifyingKey[];
}

export interface TrustSurroundings {
  readonly messages: MessageRegistry;
  readonly filter: TransportPublishFilter;
  readonly transport: Transport | null;
  /** What this host calls itself in messages. */
  readonly self: string;
  /** For how long received messages are known. */
  readonly receivedMs: number;
  readonly clockLimit: ClockLimit;
}

/** What was registered about messages between hosts: whose are accepted, and what proves whose they are. */
export class Trust {
  readonly #events = new Map<string, AcceptedOrigins>();
  readonly #commands = new Map<MessageClass, AcceptedOrigins>();
  readonly #keys = new Map<string, Map<string, CheckedKey>>();
  /** What this host signs its messages with; null: it does not. */
  signing: CheckedKey | null = null;

  acceptEvents({ from, namespaces }: EventAcceptance): void {
    const hosts = hostsOf(from);
    // What is accepted of no host is not subscribed to.
    if (hosts.length > 0) for (const namespace of namespaces) originsIn(this.#events, namespace).add(hosts);
  }

  acceptCommands({ from, commands }: CommandAcceptance): void {
    const hosts = hostsOf(from);
    if (hosts.length > 0) for (const command of commands) originsIn(this.#commands, command).add(hosts);
  }

  signMessages(key: SigningKey): void {
    this.signing = signingKey(key);
  }

  verifyMessages({ from, keys }: MessageVerification): void {
    const hosts = hostsOf(from) as readonly string[];
    const checked = keys.map(verifyingKey);
    if (checked.length === 0) throw invalidKeys(`No keys of ${hosts.join(', ')} were given. Give at least one.`);
    for (const host of hosts) {
      const known = this.#keys.get(host) ?? new Map<string, CheckedKey>();
      this.#keys.set(host, known);
      for (const key of checked) {
        if (known.has(key.id)) throw invalidKeys(`${host} has two keys with the id ${key.id}. Give each its own id.`);
        known.set(key.id, key);
      }
    }
  }

  /** The commands that may come from other hosts. */
  get commands(): ReadonlySet<MessageClass> {
    return new Set(this.#commands.keys());
  }

  acceptsNamespace(namespace: string): boolean {
    return this.#events.has(namespace);
  }

  /** Whether a declaration names the host. */
  names(hostName: string): boolean {
    return this.#origins.some(({ hosts }) => hosts.has(hostName));
  }

  get acceptsUnproven(): boolean {
    return this.#origins.some(({ acceptsUnproven }) => acceptsUnproven);
  }

  /** The guard for what was declared. Throws when a declaration can never take effect. */
  admission({ messages, filter, transport, self, receivedMs, clockLimit }: TrustSurroundings): Admission {
    const proof = new OriginProof(this.#keys, transport ?? {});
    this.#requireTransport(transport);
    this.#requireNamespaces(messages, filter);
    requireUnfiltered(this.commands, messages, filter);
    // A host leaves its own events alone, whatever proves them.
    for (const { hosts } of this.#events.values())
      requireProvable(hosts, (host) => host === self || proof.canProve(host));
    for (const { hosts } of this.#commands.values()) requireProvable(hosts, (host) => proof.canProve(host));
    return new Admission({
      messages,
      filter,
      self,
      hostName: transport?.hostName ?? null,
      proof,
      events: this.#events,
      commands: new Map([...this.#commands].map(([command, origins]) => [messages.ofClass(command).type, origins])),
      commandAge: new CommandAge(receivedMs),
      clockLimit,
    });
  }

  get #origins(): readonly AcceptedOrigins[] {
    return [...this.#events.values(), ...this.#commands.values()];
  }

  #requireTransport(transport: Transport | null): void {
    if (this.#events.size > 0 && transport === null) {
      throw new ServiceError(
        'SVC_TRANSPORT_MISSING',
        'The service accepts events of other hosts, and no transport brings them. Call useTransport.',
      );
    }
    if (this.signing !== null && transport?.hostName === undefined) {
      throw new ServiceError(
        'SVC_TRANSPORT_MISSING',
        'The service signs messages, and no transport with a hostName carries them. Call useTransport with one that has a name.',
      );
    }
  }

  #requireNamespaces(messages: MessageRegistry, filter: TransportPublishFilter): void {
    const events = [...messages.all].filter(({ kind }) => kind !== 'command');
    const known = new Set(events.map(({ type }) => namespaceOf(type)));
    const open = new Set(
      events.filter((message) => filter.shouldReceiveFromTransport(message.class)).map(({ type }) => namespaceOf(type)),
    );
    for (const namespace of this.#events.keys()) {
      if (open.has(namespace)) continue;
      const names = [...open].toSorted().join(', ');
      throw new ServiceError(
        'SVC_UNKNOWN_NAMESPACE',
        known.has(namespace)
          ? `Events of the namespace ${namespace} cannot be accepted: ${closedBy(events.filter(({ type }) => namespaceOf(type) === namespace))}, or leave the namespace out.`
          : `Events of the namespace ${JSON.stringify(namespace)} cannot be accepted: the registry has none. It has ${names === '' ? 'no events' : names}.`,
      );
    }
  }
}

function closedBy(events: readonly MessageDescriptor[]): string {
  return events.every(isSystemMessage)
    ? 'they are system events, which stay on their host. Call broadcast() on the options of addSystemEvents'
    : 'a transport publish filter lets none of them in. Change the filter';
}

function requireUnfiltered(
  commands: ReadonlySet<MessageClass>,
  messages: MessageRegistry,
  filter: TransportPublishFilter,
): void {
  for (const command of commands) {
    if (filter.shouldReceiveFromTransport(command)) continue;
    throw new ServiceError(
      'SVC_COMMAND_FILTERED',
      `${messages.ofClass(command).type} is accepted from other hosts, and a transport publish filter refuses it. Change the filter, or do not accept the command.`,
    );
  }
}

function requireProvable(hosts: ReadonlySet<string>, isProvable: (host: string) => boolean): void {
  for (const host of hosts) {
    if (isProvable(host)) continue;
    throw new ServiceError(
      'SVC_ORIGIN_UNPROVABLE',
      `Messages are accepted from ${host}, and nothing can prove that they come from it: the transport does not, and there are no keys of it. Call verifyMessages with its keys, or accept unprovenHosts.`,
    );
  }
}

function originsIn<K>(map: Map<K, AcceptedOrigins>, key: K): AcceptedOrigins {
  let known = map.get(key);
  if (known === undefined) map.set(key, (known = new AcceptedOrigins()));
  return known;
}

function invalidKeys(message: string): ServiceError {
  return new ServiceError('SVC_INVALID_MESSAGE_KEY', message);
}
