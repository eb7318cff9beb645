import {
  parseServiceBusConnectionString,
  ServiceBusClient,
  type ServiceBusClientOptions,
  type TokenCredential,
} from '@azure/service-bus';
import { isLoopback, requireWholeNumbers, ServiceError } from '@svc/core';
import { defaultCommandsAtOnce } from '@svc/core/transport';

/** The namespace, and how this host authenticates. */
export type ServiceBusCredentials =
  | {
      /** The connection string of the namespace, with the rights Send and Listen. */
      readonly connectionString: string;
    }
  | {
      /** `orders.servicebus.windows.net`. */
      readonly fullyQualifiedNamespace: string;
      /** For example `new DefaultAzureCredential()` of `@azure/identity`. */
      readonly credential: TokenCredential;
    };

/** The name of this host, and the topics, queues and limits that the transport uses. */
export interface ServiceBusSettings {
  /** The name of this host. Hosts that share a database share it. Its subscriptions are named after it. */
  readonly hostName: string;
  /**
   * The topic of a destination. Default: `svc` for all of them, so that all events of a stream arrive in order, whatever their namespaces.
   * With several topics, order holds within each topic.
   */
  readonly topicOf?: (destination: string) => string;
  /** The queue of a host's commands. Default: `<hostName>.inbox`. */
  readonly inboxOf?: (hostName: string) => string;
  /** Whether topics are partitioned. Then a batch contains messages of one stream only. Default: false. */
  readonly partitioned?: boolean;
  /** How many streams of a topic one subscription receives concurrently. Default: 16; 1 to 65,535. */
  readonly maxConcurrentSessions?: number;
  /** How many commands of its inbox this host processes concurrently. Default: 32; 1 to 65,535. */
  readonly commandsAtOnce?: number;
  /** How many messages of one stream are prefetched. Default: 64; 1 to 65,535. */
  readonly prefetch?: number;
  /** How long in milliseconds a stream without messages stays locked before another stream has its turn. Default: 100. */
  readonly sessionIdleMs?: number;
  /** The maximum turn of a stream that always has messages, in milliseconds. Default: 10,000. */
  readonly sessionTurnMs?: number;
  /** How long the Service Bus may take to answer, in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
}

/** The options of the Azure Service Bus transport: credentials and settings. */
export type ServiceBusOptions = ServiceBusCredentials & ServiceBusSettings;

export type Settings = Required<ServiceBusSettings>;

/** The limit of the Service Bus. */
const maxSubscriptionNameLength = 50;

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
  const { maxConcurrentSessions, commandsAtOnce, prefetch, sessionIdleMs, sessionTurnMs, timeoutMs } = settings;
  requireWholeNumbers({ maxConcurrentSessions, commandsAtOnce, prefetch }, misconfigured, { most: 65_535 });
  requireWholeNumbers({ sessionIdleMs, sessionTurnMs, timeoutMs }, misconfigured);
  // Checks the host name too: no interest has an empty name.
  subscriptionName(settings.hostName, '');
  return settings;
}

/** The subscription of a host for one interest: `billing.events`. */
export function subscriptionName(hostName: string, interest: string): string {
  const name = `${hostName}.${interest}`;
  if (!/^[A-Za-z0-9][\w.-]*$/.test(name) || name.length > maxSubscriptionNameLength) {
    throw misconfigured(
      `${name} is not a valid name of a subscription: use at most ${maxSubscriptionNameLength} letters, digits, dots, hyphens and underscores`,
    );
  }
  return name;
}

/** Creates clients. Errors about a connection string do not repeat it. */
export function clientsOf(
  credentials: ServiceBusCredentials,
  options: ServiceBusClientOptions,
): () => ServiceBusClient {
  if (!('connectionString' in credentials)) {
    const { fullyQualifiedNamespace, credential } = credentials;
    // The client builds a connection string from it, in which it could disable TLS.
    if (!/^[\w.-]+(?::\d+)?\/?$/.test(fullyQualifiedNamespace))
      throw misconfigured('fullyQualifiedNamespace must be a host name such as orders.servicebus.windows.net');
    return () => new ServiceBusClient(fullyQualifiedNamespace, credential, options);
  }
  const { connectionString } = credentials;
  let entityPath: string | undefined;
  let endpoint: string;
  try {
    ({ entityPath, endpoint } = parseServiceBusConnectionString(connectionString));
  } catch {
    throw misconfigured(
      'the connection string is invalid. Expected Endpoint=sb://…;SharedAccessKeyName=…;SharedAccessKey=…',
    );
  }
  if (entityPath !== undefined) {
    throw misconfigured('the connection string has an EntityPath. Use the connection string of the namespace');
  }
  requireTlsUnlessLocal(connectionString, endpoint);
  return () => new ServiceBusClient(connectionString, options);
}

/** The client uses TLS, except for the development emulator, which must run on this machine. */
function requireTlsUnlessLocal(connectionString: string, endpoint: string): void {
  const settings = connectionString.split(';').map((part) => part.replaceAll(' ', '').toLowerCase());
  if (!settings.includes('usedevelopmentemulator=true')) return;
  const [, bracketed, plain] = /^\w+:\/\/(?:\[([^\]]*)\]|([^/:@]*))(?::\d+)?\/?$/.exec(endpoint) ?? [];
  if (isLoopback(bracketed ?? plain ?? '')) return;
  throw new ServiceError(
    'SVC_PLAINTEXT_REFUSED',
    `The Service Bus emulator at ${endpoint} has no TLS. Use it on a loopback address, or use a namespace.`,
  );
}

function misconfigured(what: string): ServiceError {
  return new ServiceError('SVC_TRANSPORT_MISCONFIGURED', `Cannot create serviceBusTransport: ${what}.`);
}
