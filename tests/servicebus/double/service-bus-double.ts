/**
 * A test double of the Azure Service Bus. It is not a broker: everything is in memory and in the process of the test. It speaks the
 * real protocol, AMQP 1.0 with `$cbs` and `$management`, to the real client, and does what a namespace does as far as the transport
 * relies on it: topics with subscriptions, queues, sessions, locks that expire, delivery counts, dead letters. And it fails on command.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { AddressInfo, Server } from 'node:net';
import rhea, {
  message as amqp,
  type Connection,
  type EventContext,
  type Message,
  type Receiver,
  type Sender,
} from 'rhea';
import { ConsumerLink } from './consumer-link.js';
import { MessageQueue, type QueueSettings } from './message-queue.js';
import { attachOf, holdAttach, socketOf } from './rhea-internals.js';
import { failed, manage, putToken, type Answer } from './request-nodes.js';
import {
  batchFormat,
  errors,
  lockedUntilProperty,
  sessionFilter,
  ticks,
  timeoutProperty,
  type AmqpError,
} from './wire.js';

const keyName = 'RootManageSharedAccessKey';
const defaults: QueueSettings = { requiresSession: true, lockMs: 30_000, maxDeliveryCount: 10 };
const maxMessageSize = 256 * 1024;

interface Topic {
  readonly partitioned: boolean;
  readonly subscriptions: Map<string, MessageQueue>;
}

/** What goes wrong at the moment. */
interface Faults {
  /** Tokens are refused. */
  rejectsTokens: boolean;
  /** Requests, sends and links are turned away as too many. */
  throttles: boolean;
  /** Topics and queues have no room for what is sent. */
  isFull: boolean;
  /** Nothing is answered; connections stay open. */
  hangs: boolean;
  /** Messages are taken and the sender is not told. */
  losesConfirmations: boolean;
}

export class ServiceBusDouble {
  readonly #container = rhea.create_container({
    sender_options: { treat_modified_as_released: false },
    receiver_options: { autoaccept: false },
  });
  readonly #topics = new Map<string, Topic>();
  readonly #queues = new Map<string, MessageQueue>();
  readonly #connections = new Set<Connection>();
  readonly #links = new Map<Connection, Set<ConsumerLink>>();
  readonly #key = randomBytes(32).toString('base64');
  #server: Server | null = null;
  #port = 0;
  #settling: Promise<void> = Promise.resolve();
  readonly faults: Faults = {
    rejectsTokens: false,
    throttles: false,
    isFull: false,
    hangs: false,
    losesConfirmations: false,
  };
  /** How many connections have been opened so far. */
  connectionsOpened = 0;
  /** How many transfers have come in, whatever became of them; a batch is one. */
  transfersReceived = 0;

  static async start(): Promise<ServiceBusDouble> {
    const double = new ServiceBusDouble();
    await double.listen();
    return double;
  }

  private constructor() {
    this.#container.on('connection_open', ({ connection }: EventContext) => {
      this.connectionsOpened += 1;
      socketOf(connection).setNoDelay(true);
      this.#connections.add(connection);
      this.#links.set(connection, new Set());
    });
    for (const event of ['connection_close', 'disconnected']) {
      this.#container.on(event, ({ connection }: EventContext) => this.#forget(connection));
    }
    // Sockets that tests cut.
    for (const event of [
      'connection_error',
      'protocol_error',
      'error',
      'session_error',
      'sender_error',
      'receiver_error',
    ]) {
      this.#container.on(event, () => {});
    }
    this.#container.on('sender_open', ({ sender }: EventContext) => this.#openConsumer(sender!));
    this.#container.on('receiver_open', ({ receiver }: EventContext) => this.#openProducer(receiver!));
    this.#container.on('message', (context: EventContext) => this.#take(context));
  }

  get connectionString(): string {
    return this.#connectionStringWith(this.#key);
  }

  /** One whose key is not that of the namespace. */
  get wrongConnectionString(): string {
    return this.#connectionStringWith(randomBytes(32).toString('base64'));
  }

  get key(): string {
    return this.#key;
  }

  createTopic(name: string, { partitioned = false } = {}): void {
    this.#topics.set(name, { partitioned, subscriptions: new Map() });
  }

  createSubscription(topic: string, name: string, settings: Partial<QueueSettings> = {}): MessageQueue {
    if (!this.#topics.has(topic)) this.createTopic(topic);
    const queue = new MessageQueue(`${topic}/Subscriptions/${name}`, { ...defaults, ...settings });
    this.#topics.get(topic)!.subscriptions.set(name, queue);
    return queue;
  }

  subscription(topic: string, name: string): MessageQueue | undefined {
    return this.#topics.get(topic)?.subscriptions.get(name);
  }

  createQueue(name: string, settings: Partial<QueueSettings> = {}): MessageQueue {
    const queue = new MessageQueue(name, { ...defaults, ...settings });
    this.#queues.set(name, queue);
    return queue;
  }

  queue(name: string): MessageQueue | undefined {
    return this.#queues.get(name);
  }

  /** Cuts every connection, without a word. */
  dropConnections(): void {
    for (const connection of this.#connections) {
      socketOf(connection).destroy();
      this.#forget(connection);
    }
  }

  /** Keeps settlements unanswered until the returned function is called. */
  holdSettlements(): () => void {
    let answer = (): void => {};
    this.#settling = new Promise((resolve) => {
      answer = resolve;
    });
    return () => {
      this.#settling = Promise.resolve();
      answer();
    };
  }

  /** Nobody listens any more, and whoever was connected is not. What it holds stays. */
  async goAway(): Promise<void> {
    const closed = new Promise((resolve) => this.#server!.close(resolve));
    this.dropConnections();
    await closed;
  }

  /** Listens, after `goAway` on the same port. */
  async listen(): Promise<void> {
    const server = this.#container.listen({ host: '127.0.0.1', port: this.#port });
    this.#server = server;
    if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const { subscriptions } of this.#topics.values()) for (const queue of subscriptions.values()) queue.close();
    for (const queue of this.#queues.values()) queue.close();
    await this.goAway();
  }

  #connectionStringWith(key: string): string {
    return `Endpoint=sb://127.0.0.1:${this.#port};SharedAccessKeyName=${keyName};SharedAccessKey=${key};UseDevelopmentEmulator=true`;
  }

  #forget(connection: Connection): void {
    this.#connections.delete(connection);
    const links = this.#links.get(connection);
    this.#links.delete(connection);
    for (const link of links ?? []) link.disconnected();
  }

  /** Somebody wants to receive: answers of a node, or messages of a queue. */
  #openConsumer(sender: Sender): void {
    const address = addressOf(sender.source);
    const reject = (error: AmqpError): void => {
      sender.close(error);
    };
    if (address === '$cbs' || address.endsWith('/$management')) {
      const path = address.replace(/\/\$management$/, '');
      sender.set_source({ address });
      if (address !== '$cbs' && this.#queue(path) === undefined) reject(errors.notFound(path));
      return;
    }
    const queue = this.#queue(address);
    if (queue === undefined) return reject(errors.notFound(address));
    if (this.faults.throttles) return reject(errors.busy);
    const filter = (sender.source as { filter?: Record<string, unknown> } | undefined)?.filter;
    if (filter === undefined || filter === null || !(sessionFilter in filter)) {
      if (queue.settings.requiresSession) return reject(errors.sessionRequired);
      sender.set_source({ address });
      return this.#consume(sender, queue, null);
    }
    if (!queue.settings.requiresSession) return reject(errors.noSessions);
    const wanted = plain(filter[sessionFilter]);
    if (typeof wanted === 'string') {
      return queue.lockSession(wanted)
        ? this.#acceptSession(sender, queue, address, wanted)
        : reject(errors.sessionTaken);
    }
    this.#awaitSession(sender, queue, address);
  }

  /** The answer to the attach waits until there is a session, as that of the Service Bus does. */
  #awaitSession(sender: Sender, queue: MessageQueue, address: string): void {
    holdAttach(sender);
    const timeoutMs = Number(
      plain((sender.properties as Record<string, unknown> | undefined)?.[timeoutProperty]) ?? 60_000,
    );
    const { connection } = sender;
    let over = false;
    const timer = setTimeout(() => {
      over = true;
      giveUp();
      if (!this.#connections.has(connection)) return;
      sender.open();
      sender.close(errors.noSession);
    }, timeoutMs);
    timer.unref();
    const giveUp = queue.nextSession((sessionId) => {
      clearTimeout(timer);
      // A session that was offered to somebody who is gone is free for others.
      if (over || !this.#connections.has(connection)) return queue.expireSession(sessionId);
      over = true;
      sender.open();
      this.#acceptSession(sender, queue, address, sessionId);
    });
    sender.on('sender_close', () => {
      over = true;
      clearTimeout(timer);
      giveUp();
    });
  }

  #acceptSession(sender: Sender, queue: MessageQueue, address: string, sessionId: string): void {
    sender.set_source({ address, filter: { [sessionFilter]: sessionId } });
    attachOf(sender).properties = { [lockedUntilProperty]: ticks(queue.sessionLockedUntil(sessionId)) };
    this.#consume(sender, queue, sessionId);
  }

  #consume(sender: Sender, queue: MessageQueue, sessionId: string | null): void {
    const link = new ConsumerLink(sender, queue, sessionId, () => this.#settling);
    this.#links.get(sender.connection)?.add(link);
    sender.on('sender_close', () => this.#links.get(sender.connection)?.delete(link));
  }

  /** Somebody wants to send: requests to a node, or messages to a topic or a queue. */
  #openProducer(receiver: Receiver): void {
    const address = addressOf(receiver.target);
    attachOf(receiver).max_message_size = maxMessageSize;
    receiver.set_target({ address });
    if (address === '$cbs' || address.endsWith('/$management')) return;
    if (!this.#topics.has(address) && !this.#queues.has(address)) receiver.close(errors.notFound(address));
    else if (this.faults.throttles) receiver.close(errors.busy);
  }

  #take(context: EventContext): void {
    const { receiver, message, delivery } = context;
    if (this.faults.hangs) return;
    const address = addressOf(receiver!.target);
    if (address === '$cbs') {
      return this.#answer(
        context,
        putToken(message!, (token) => !this.faults.rejectsTokens && this.#isGood(token)),
      );
    }
    if (address.endsWith('/$management')) {
      const queue = this.#queue(address.replace(/\/\$management$/, ''));
      if (this.faults.throttles) return this.#answer(context, failed(503, errors.busy));
      return this.#answer(
        context,
        queue === undefined ? failed(404, errors.notFound(address)) : manage(message!, queue),
      );
    }
    this.transfersReceived += 1;
    if (this.faults.throttles) return delivery!.reject(errors.busy);
    if (this.faults.isFull) return delivery!.reject(errors.full);
    const size = Buffer.isBuffer(message) ? message.length : amqp.encode(message).length;
    if (size > maxMessageSize) return delivery!.reject(errors.tooLarge);
    const messages = delivery!.format === batchFormat ? unpack(message!) : [message!];
    const topic = this.#topics.get(address);
    const queues = topic?.subscriptions.values() ?? [this.#queues.get(address)!];
    const error = this.#publish([...queues], messages, topic?.partitioned === true);
    if (this.faults.losesConfirmations) return;
    if (error === null) delivery!.accept();
    else delivery!.reject(error);
  }

  #publish(queues: readonly MessageQueue[], messages: readonly Message[], partitioned: boolean): AmqpError | null {
    const sessions = new Set(messages.map((message) => message.group_id));
    if (partitioned && sessions.size > 1) return errors.mixedBatch;
    if (messages.some(hasLargeProperties)) return errors.propertiesTooLarge;
    for (const queue of queues) {
      if (queue.settings.requiresSession && sessions.has(undefined)) return errors.sessionIdMissing;
    }
    for (const queue of queues) for (const message of messages) queue.enqueue(message);
    return null;
  }

  #answer({ connection, message, delivery }: EventContext, answer: Answer): void {
    delivery!.accept();
    const replyTo = message!.reply_to;
    let link: Sender | undefined;
    connection.each_sender((sender: Sender) => {
      if (sender.name === replyTo) link = sender;
    });
    const { body, ...status } = answer;
    link?.send({
      correlation_id: message!.message_id!,
      application_properties: {
        // The two nodes spell them differently; the client reads both.
        ...status,
        'status-code': status.statusCode,
        'status-description': status.statusDescription,
      },
      body: body ?? '',
    });
  }

  #queue(path: string): MessageQueue | undefined {
    const [, entity = '', name, dead] = /^(.+?)(?:\/subscriptions\/([^/]+))?(\/\$deadletterqueue)?$/i.exec(path) ?? [];
    const queue = name === undefined ? this.#queues.get(entity) : this.#topics.get(entity)?.subscriptions.get(name);
    return dead === undefined ? queue : (queue?.deadLetters ?? undefined);
  }

  /** Whether a shared access signature was made with the key of the namespace, and has not expired. */
  #isGood(token: string): boolean {
    const fields = new URLSearchParams(token.replace(/^SharedAccessSignature /, ''));
    const [resource, signature, expiry] = ['sr', 'sig', 'se'].map((name) => fields.get(name) ?? '');
    const expected = createHmac('sha256', this.#key)
      .update(`${encodeURIComponent(resource!)}\n${expiry}`)
      .digest('base64');
    return signature === expected && Number(expiry) * 1_000 > Date.now();
  }
}

function addressOf(terminus: unknown): string {
  return ((terminus as { address?: string } | undefined)?.address ?? '').replace(/^\//, '');
}

/** A value that may come with its AMQP type around it. */
function plain(value: unknown): unknown {
  const inner = value !== null && typeof value === 'object' && 'value' in value ? value.value : value;
  return inner !== null && typeof inner === 'object' && 'value' in inner ? inner.value : inner;
}

/** The messages of a batch, which comes as bytes: one per data section. */
function unpack(batch: unknown): readonly Message[] {
  const { content } = amqp.decode(batch as Buffer)['body'] as { content: Buffer | readonly Buffer[] };
  const sections = (Array.isArray(content) ? content : [content]) as readonly Buffer[];
  return sections.map((bytes) => amqp.decode(bytes) as unknown as Message);
}

function hasLargeProperties({ application_properties: properties = {} }: Message): boolean {
  const sizes = Object.entries(properties).map(([name, value]) => Buffer.byteLength(`${name}${String(value)}`));
  return sizes.some((size) => size > 32_768) || sizes.reduce((sum, size) => sum + size, 0) > 65_536;
}
