import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { ServiceError, requireTls } from '@svc/core';
import { defaultCommandsAtOnce, reportToConsole } from '@svc/core/transport';
import { BrokerUsers, type UsersOfHosts } from './broker-users.js';

export interface RabbitMqOptions {
  /** `amqps://user:password@host:port/vhost`, or `amqp://` without TLS. */
  readonly url: string;
  /**
   * Who this host is to the others, the same at every start: messages wait under this name while the host is down. Hosts that share
   * a database share the name; hosts with databases of their own have names of their own. Letters, digits, `.`, `_` and `-`.
   */
  readonly hostName: string;
  /**
   * The broker users that stand for hosts: `{ billing: 'billing-user' }`. A message comes from the host that its user stands for, and from no
   * other. Default: the user of a host has the host's name.
   */
  readonly users?: UsersOfHosts;
  /**
   * The user that messages of this host name, which the broker compares with that of the connection. Null: none, and other hosts have to
   * verify signatures. Default: the user of `url`.
   */
  readonly userId?: string | null;
  /** In front of the names of exchanges and queues, for several systems on one virtual host. Default: nothing. */
  readonly prefix?: string;
  /** Certificates and the like for `amqps://`, as `node:tls` takes them. */
  readonly tls?: ConnectionOptions;
  /** Allows `amqp://` to a remote broker, for networks that are encrypted by other means. Default: false. */
  readonly allowPlaintext?: boolean;
  /** How many messages may be on their way to this host, or in its hands, for each of its queues. Default: 1,000. */
  readonly prefetch?: number;
  /** How many commands of its inbox this host handles side by side. Default: 32. */
  readonly commandsAtOnce?: number;
  /**
   * How often a message is delivered before it is put aside unread: one that ends the process it comes to. Every lost connection
   * counts for all messages on their way. Applies to queues that are made from now on. Default: 100.
   */
  readonly deliveryLimit?: number;
  /** How long the broker may take for a batch of messages; an outage counts. Default: 30,000. */
  readonly publishTimeoutMs?: number;
  /** How long making a connection may take. Default: 10,000. */
  readonly connectTimeoutMs?: number;
  /** Seconds between signs of life; a peer that is silent for two of these is gone. Default: 10. */
  readonly heartbeat?: number;
  /** Told when a connection is lost and when it cannot be made anew; which goes on being tried. Default: the console. */
  readonly report?: (error: unknown) => void;
}

/** Where to connect to, and as whom. Never part of an error or a log. */
export interface Address {
  readonly protocol: string;
  readonly hostname: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly vhost: string;
  readonly heartbeat: number;
}

export interface Settings extends Required<
  Omit<RabbitMqOptions, 'url' | 'tls' | 'allowPlaintext' | 'heartbeat' | 'users'>
> {
  readonly address: Address;
  readonly users: BrokerUsers;
  readonly tls: ConnectionOptions;
}

/** Timers count no further. */
const longestTimeoutMs = 2 ** 31 - 1;

/** High, because a lost connection counts as a delivery of every message that was on its way. */
export const defaultDeliveryLimit = 100;

export function settingsOf(options: RabbitMqOptions): Settings {
  const {
    url,
    hostName,
    prefix = '',
    prefetch = 1_000,
    deliveryLimit = defaultDeliveryLimit,
    heartbeat = 10,
  } = options;
  const { commandsAtOnce = defaultCommandsAtOnce, publishTimeoutMs = 30_000, connectTimeoutMs = 10_000 } = options;
  if (!/^[\w.-]{1,100}$/.test(hostName)) {
    throw invalid('hostName has to be 1 to 100 letters, digits, ".", "_" or "-"');
  }
  if (!/^[\w.-]{0,50}$/.test(prefix)) throw invalid('prefix has to be at most 50 letters, digits, ".", "_" or "-"');
  const { users = {} } = options;
  for (const user of Object.values(users).flat()) requireUser('users', user);
  const address = addressOf(url, heartbeat);
  const { userId = address.username } = options;
  if (userId !== null) requireUser('userId', userId);
  requireWhole('prefetch', prefetch, 65_535);
  requireWhole('commandsAtOnce', commandsAtOnce, 65_535);
  requireWhole('deliveryLimit', deliveryLimit, 1_000_000);
  requireWhole('heartbeat', heartbeat, 3_600);
  requireWhole('publishTimeoutMs', publishTimeoutMs, longestTimeoutMs);
  requireWhole('connectTimeoutMs', connectTimeoutMs, longestTimeoutMs);
  requireTls({
    to: 'RabbitMQ',
    host: address.hostname,
    usesTls: address.protocol === 'amqps',
    allowPlaintext: options.allowPlaintext ?? false,
    remedy: 'use an amqps:// URL',
  });
  return {
    hostName,
    users: new BrokerUsers(users),
    userId,
    prefix,
    prefetch,
    commandsAtOnce,
    deliveryLimit,
    address,
    tls: options.tls ?? {},
    publishTimeoutMs,
    connectTimeoutMs,
    report: options.report ?? reportToConsole,
  };
}

function addressOf(text: string, heartbeat: number): Address {
  // What `URL` throws has the text in it, and the password with that.
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^amqps?:$/.test(url.protocol) || url.hostname === '') {
    throw invalid('url has to look like amqp://user:password@host:5672/vhost');
  }
  const isPlain = url.protocol === 'amqp:';
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    protocol: isPlain ? 'amqp' : 'amqps',
    hostname: isIP(hostname) === 0 ? decoded(hostname) : hostname,
    port: url.port === '' ? (isPlain ? 5_672 : 5_671) : Number(url.port),
    username: decoded(url.username) || 'guest',
    password: decoded(url.password) || 'guest',
    // As it stands in the URL; the client decodes it.
    vhost: url.pathname.length > 1 ? url.pathname.slice(1) : '/',
    heartbeat,
  };
}

/** What `decodeURIComponent` throws is no error of ours. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('url has to have "%" in user and password written as %25');
  }
}

/** AMQP has 255 bytes for the name of a user. */
function requireUser(name: string, user: unknown): void {
  if (typeof user === 'string' && user !== '' && Buffer.byteLength(user) <= 255) return;
  throw invalid(`${name} has to name broker users, of 1 to 255 bytes each`);
}

function requireWhole(name: string, value: number, largest: number): void {
  if (!Number.isInteger(value) || value < 1 || value > largest) {
    throw invalid(`${name} has to be a whole number from 1 to ${largest}`);
  }
}

function invalid(what: string): ServiceError {
  return new ServiceError('SVC_TRANSPORT_MISCONFIGURED', `rabbitMqTransport cannot be made: ${what}.`);
}
