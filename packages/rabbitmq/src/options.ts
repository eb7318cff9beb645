import { isIP } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { ServiceError, requireTls, requireWholeNumbers } from '@svc/core';
import { defaultCommandsAtOnce } from '@svc/core/transport';
import { BrokerUsers, type UsersOfHosts } from './broker-users.js';
import { Reports } from './reports.js';

/** The connection to a RabbitMQ broker, and the name and limits of this host. */
export interface RabbitMqOptions {
  /** `amqps://user:password@host:port/vhost`, or `amqp://` without TLS. */
  readonly url: string;
  /**
   * The name of this host, the same at every start: messages wait under this name while the host is down. Hosts that share a database
   * share the name; hosts with different databases have different names. Letters, digits, `.`, `_` and `-`.
   */
  readonly hostName: string;
  /**
   * The broker users of hosts: `{ billing: 'billing-user' }`. A message is accepted only from a host that its user represents. Default: the
   * user of a host has the host's name.
   */
  readonly users?: UsersOfHosts;
  /**
   * The user that this host's messages carry, which the broker compares with the user of the connection. Null: none, and other hosts must
   * verify signatures. Default: the user of `url`.
   */
  readonly userId?: string | null;
  /** A prefix of all exchange and queue names, for several systems on one virtual host. Default: empty. */
  readonly prefix?: string;
  /** TLS options for `amqps://`, such as certificates, as in `node:tls`. */
  readonly tls?: ConnectionOptions;
  /** Allows `amqp://` to a remote broker, for networks that are encrypted by other means. Default: false. */
  readonly allowPlaintext?: boolean;
  /** The maximum number of unacknowledged messages per queue of this host. Default: 1,000; 1 to 65,535. */
  readonly prefetch?: number;
  /** How many commands of its inbox this host processes concurrently. Default: 32; 1 to 65,535. */
  readonly commandsAtOnce?: number;
  /**
   * The number of deliveries after which the broker dead-letters a message, for messages that crash their host. Every lost connection counts
   * for all unacknowledged messages. Applies to queues created from now on. Default: 100; 1 to 1,000,000.
   */
  readonly deliveryLimit?: number;
  /** How long the broker may take to confirm a batch of messages, including an outage. Default: 30,000. */
  readonly publishTimeoutMs?: number;
  /** How long opening a connection may take. Default: 10,000. */
  readonly connectTimeoutMs?: number;
  /** Seconds between heartbeats. A peer that misses two of them is gone. Default: 10; 1 to 3,600. */
  readonly heartbeat?: number;
  /** Called when a connection is lost and when it cannot be reopened; svc keeps retrying. Default: the service reports it to `reportTo`. */
  readonly report?: (error: unknown) => void;
}

/** Address and credentials. Never part of an error or a log. */
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
  readonly reports: Reports;
}

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
    throw invalid('hostName must be 1 to 100 letters, digits, ".", "_" or "-"');
  }
  if (!/^[\w.-]{0,50}$/.test(prefix)) throw invalid('prefix must be at most 50 letters, digits, ".", "_" or "-"');
  const { users = {} } = options;
  for (const user of Object.values(users).flat()) requireUser('users', user);
  const address = addressOf(url, heartbeat);
  const { userId = address.username } = options;
  if (userId !== null) requireUser('userId', userId);
  requireWholeNumbers({ prefetch, commandsAtOnce }, invalid, { most: 65_535 });
  requireWholeNumbers({ deliveryLimit }, invalid, { most: 1_000_000 });
  requireWholeNumbers({ heartbeat }, invalid, { most: 3_600 });
  requireWholeNumbers({ publishTimeoutMs, connectTimeoutMs }, invalid);
  requireTls({
    to: 'RabbitMQ',
    host: address.hostname,
    usesTls: address.protocol === 'amqps',
    allowPlaintext: options.allowPlaintext ?? false,
    remedy: 'use an amqps:// URL',
  });
  const reports = new Reports(options.report);
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
    report: reports.report,
    reports,
  };
}

function addressOf(text: string, heartbeat: number): Address {
  // The error of `URL` contains the text, including the password.
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^amqps?:$/.test(url.protocol) || url.hostname === '') {
    throw invalid('url must look like amqp://user:password@host:5672/vhost');
  }
  const isPlain = url.protocol === 'amqp:';
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    protocol: isPlain ? 'amqp' : 'amqps',
    hostname: isIP(hostname) === 0 ? decoded(hostname) : hostname,
    port: url.port === '' ? (isPlain ? 5_672 : 5_671) : Number(url.port),
    username: decoded(url.username) || 'guest',
    password: decoded(url.password) || 'guest',
    // Not decoded: the client decodes it.
    vhost: url.pathname.length > 1 ? url.pathname.slice(1) : '/',
    heartbeat,
  };
}

/** Decodes a part of the URL and converts the error of `decodeURIComponent`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('url must contain "%" in user and password as %25');
  }
}

/** AMQP limits user names to 255 bytes. */
function requireUser(name: string, user: unknown): void {
  if (typeof user === 'string' && user !== '' && Buffer.byteLength(user) <= 255) return;
  throw invalid(`${name} must name broker users of 1 to 255 bytes each`);
}

function invalid(what: string): ServiceError {
  return new ServiceError('SVC_TRANSPORT_MISCONFIGURED', `Cannot create rabbitMqTransport: ${what}.`);
}
