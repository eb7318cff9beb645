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

/** The keys that verify the messages of one or several hosts. */
export interface MessageVerification {
  readonly from: string | readonly string[];
  /** Several during a key rotation: the sender signs with one of them. */
  readonly keys: readonly VerifyingKey[];
}

export interface TrustSurroundings {
  readonly messages: MessageRegistry;
  readonly filter: TransportPublishFilter;
  readonly transport: Transport | null;
  /** The name of this host in messages. */
  readonly self: string;
  /** How long the ids of received messages are retained. */
  readonly receivedMs: number;
  readonly clockLimit: ClockLimit;
}

/** The registrations about messages between hosts: which are accepted, and how their origin is verified. */
export class Trust {
  readonly #events = new Map<string, AcceptedOrigins>();
  readonly #commands = new Map<MessageClass, AcceptedOrigins>();
  readonly #keys = new Map<string, Map<string, CheckedKey>>();
  /** The key that signs the messages of this host; null: they are not signed. */
  signing: CheckedKey | null = null;

  acceptEvents({ from, namespaces }: EventAcceptance): void {
    const hosts = hostsOf(from);
    // No subscription for a namespace that is accepted from no host.
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
    if (checked.length === 0)
      throw invalidKeys(`verifyMessages has no keys for ${hosts.join(', ')}. Pass at least one.`);
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

  /** Creates the check for received messages. Throws if a declaration can never take effect. */
  admission({ messages, filter, transport, self, receivedMs, clockLimit }: TrustSurroundings): Admission {
    const proof = new OriginProof(this.#keys, transport ?? {});
    this.#requireTransport(transport);
    this.#requireNamespaces(messages, filter);
    requireUnfiltered(this.commands, messages, filter);
    // A host ignores its own events.
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
        'The service accepts events of other hosts, but has no transport. Call useTransport.',
      );
    }
    if (this.signing !== null && transport?.hostName === undefined) {
      throw new ServiceError(
        'SVC_TRANSPORT_MISSING',
        'The service signs messages, but has no transport with a hostName. Call useTransport with one that has a hostName.',
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
          ? `Events of the namespace ${namespace} cannot be accepted: ${closedBy(events.filter(({ type }) => namespaceOf(type) === namespace))}, or omit the namespace.`
          : `Events of the namespace ${JSON.stringify(namespace)} cannot be accepted: the registry has none. It has ${names === '' ? 'no events' : names}.`,
      );
    }
  }
}

function closedBy(events: readonly MessageDescriptor[]): string {
  return events.every(isSystemMessage)
    ? 'they are system events, which stay on their host. Call broadcast() on the options of addSystemEvents'
    : 'a transport publish filter rejects all of them. Change the filter';
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
      `${messages.ofClass(command).type} is accepted from other hosts, but a transport publish filter rejects it. Change the filter, or do not accept the command.`,
    );
  }
}

function requireProvable(hosts: ReadonlySet<string>, isProvable: (host: string) => boolean): void {
  for (const host of hosts) {
    if (isProvable(host)) continue;
    throw new ServiceError(
      'SVC_ORIGIN_UNPROVABLE',
      `Messages from ${host} are accepted, but nothing proves their origin: the transport does not, and no keys of ${host} are configured. Call verifyMessages with its keys, or accept unprovenHosts.`,
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
