import {
  parseServiceBusConnectionString,
  ServiceBusClient,
  type ServiceBusClientOptions,
  type TokenCredential,
} from '@azure/service-bus';
import { ServiceError, isLoopback } from '@svc/core';
import { defaultCommandsAtOnce } from '@svc/core/transport';

/** Where the namespace is, and how this host shows who it is. */
export type ServiceBusCredentials =
  | {
      /** That of the namespace, with the rights Send and Listen. */
      readonly connectionString: string;
    }
  | {
      /** `orders.servicebus.windows.net`. */
      readonly fullyQualifiedNamespace: string;
      /** Such as `new DefaultAzureCredential()` of `@azure/identity`. */
      readonly credential: TokenCredential;
    };

export interface ServiceBusSettings {
  /** Who this host is to the others; hosts that share a database share it. Its subscriptions are named after it. */
  readonly hostName: string;
  /**
   * The topic of a destination. Default: `svc` for all of them, so that the events of a stream arrive in order whatever their
   * namespaces. Where destinations have topics of their own, order holds within each topic.
   */
  readonly topicOf?: (destination: string) => string;
  /** The queue in which commands wait for a host. Default: `<hostName>.inbox`. */
  readonly inboxOf?: (hostName: string) => string;
  /** Whether topics are partitioned: a batch then holds messages of one stream only. Default: false. */
  readonly partitioned?: boolean;
  /** How many streams of a topic are received at once, by one subscription. Default: 16. */
  readonly maxConcurrentSessions?: number;
  /** How many commands of its inbox this host handles side by side. Default: 32. */
  readonly commandsAtOnce?: number;
  /** How many messages of one stream are fetched ahead. Default: 64. */
  readonly prefetch?: number;
  /** How long a stream without messages is kept before another one has its turn. Default: 100. */
  readonly sessionIdleMs?: number;
  /** The longest turn of a stream that always has messages. Default: 10,000. */
  readonly sessionTurnMs?: number;
  /** How long the Service Bus may take for an answer. Default: 5,000. */
  readonly timeoutMs?: number;
}

export type ServiceBusOptions = ServiceBusCredentials & ServiceBusSettings;

export type Settings = Required<ServiceBusSettings>;

/** The Service Bus takes no longer names of subscriptions. */
const longestSubscriptionName = 50;

export function settingsOf(options: ServiceBusOptions): Settings {
  const settings = {
    hostName: options.hostName,
    topicOf: options.topicOf ?? (() => 'svc'),
    inboxOf: options.inboxOf ?? ((hostName: string) => `${hostName}.inbox`),
    partitioned: options.partitioned ?? false,
    maxConcurrentSessions: options.maxConcurrentSessions ?? 16,
    commandsAtOnce: options.commandsAtOnce ?? defaultCommandsAtOnce,
    prefetch: options.prefetch ?? 64,
    sessionIdleMs: options.sessionIdleMs ?? 100,
    sessionTurnMs: options.sessionTurnMs ?? 10_000,
    timeoutMs: options.timeoutMs ?? 5_000,
  };
  const counts = ['maxConcurrentSessions', 'commandsAtOnce', 'prefetch'] as const;
  for (const name of [...counts, 'sessionIdleMs', 'sessionTurnMs', 'timeoutMs'] as const) {
    if (!(settings[name] >= 1)) throw misconfigured(`${name} is ${settings[name]} and has to be 1 or more`);
  }
  // Also a name that is too long by itself: no interest has an empty one.
  subscriptionName(settings.hostName, '');
  return settings;
}

/** The subscription of a host for one interest: `billing.events`. */
export function subscriptionName(hostName: string, interest: string): string {
  const name = `${hostName}.${interest}`;
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name) || name.length > longestSubscriptionName) {
    throw misconfigured(
      `${name} cannot be the name of a subscription: at most ${longestSubscriptionName} letters, digits, dots, hyphens and underscores`,
    );
  }
  return name;
}

/** Makes clients. What is wrong with a connection string is told without repeating it. */
export function clientsOf(
  credentials: ServiceBusCredentials,
  options: ServiceBusClientOptions,
): () => ServiceBusClient {
  if (!('connectionString' in credentials)) {
    const { fullyQualifiedNamespace, credential } = credentials;
    // The client makes a connection string of it, in which it could turn TLS off.
    if (!/^[\w.-]+(?::\d+)?\/?$/.test(fullyQualifiedNamespace))
      throw misconfigured('fullyQualifiedNamespace is not a host name: orders.servicebus.windows.net is expected');
    return () => new ServiceBusClient(fullyQualifiedNamespace, credential, options);
  }
  const { connectionString } = credentials;
  let entityPath: string | undefined;
  let endpoint: string;
  try {
    ({ entityPath, endpoint } = parseServiceBusConnectionString(connectionString));
  } catch {
    throw misconfigured(
      'the connection string is not one: Endpoint=sb://…;SharedAccessKeyName=…;SharedAccessKey=… is expected',
    );
  }
  if (entityPath !== undefined) {
    throw misconfigured('the connection string has an EntityPath; that of the namespace is needed, which has none');
  }
  requireTlsUnlessLocal(connectionString, endpoint);
  return () => new ServiceBusClient(connectionString, options);
}

/** The client speaks TLS, except to the development emulator, which is for the machine it runs on. */
function requireTlsUnlessLocal(connectionString: string, endpoint: string): void {
  const settings = connectionString.split(';').map((part) => part.replaceAll(' ', '').toLowerCase());
  if (!settings.includes('usedevelopmentemulator=true')) return;
  const [, bracketed, plain] = /^\w+:\/\/(?:\[([^\]]*)\]|([^/:@]*))(?::\d+)?\/?$/.exec(endpoint) ?? [];
  if (isLoopback(bracketed ?? plain ?? '')) return;
  throw new ServiceError(
    'SVC_PLAINTEXT_REFUSED',
    `The Service Bus emulator at ${endpoint} would be reached without TLS. Reach it by a loopback address, or use a namespace.`,
  );
}

function misconfigured(what: string): ServiceError {
  return new ServiceError('SVC_TRANSPORT_MISCONFIGURED', `serviceBusTransport cannot be used: ${what}.`);
}
