import type { CommittedAlong, Dispatcher } from '../dispatch/index.js';
import { parseJson, readOrThrow } from '../json/index.js';
import { inheritedMetadata, observeId, type EnvelopeScope, type MessageRegistry } from '../messages/index.js';
import {
  reactionsIn,
  runAs,
  runAsHost,
  scopeOfValues,
  type Permission,
  type SecurityContext,
} from '../security/index.js';
import type { MessageRecord } from '../storage/index.js';

/** How a scheduled command is run. */
export interface ScheduledRun {
  /** Committed with the changes of the command, so that it takes effect once. */
  readonly settles: CommittedAlong;
  readonly attempt: number;
  /** For whom it runs; null: it recurs, and runs as the host. */
  readonly scope: EnvelopeScope | null;
}

/** Decrypts the personal values of the body of a command. */
export interface OpenCommand {
  /** A command of this service. */
  readonly own: (body: string) => Promise<string>;
  /** A command that another program has written. Throws if an encrypted value is where it does not belong. */
  readonly received: (type: string, body: string) => Promise<string>;
}

/** Without personal data, there is nothing to decrypt. */
export const asWritten: OpenCommand = {
  own: (body) => Promise.resolve(body),
  received: (_type, body) => Promise.resolve(body),
};

/** Reads and runs commands without a caller: admitted ones from other hosts, and scheduled ones. */
export class CommandInbox {
  readonly #messages: MessageRegistry;
  readonly #dispatcher: Dispatcher;
  readonly #open: OpenCommand;

  constructor(messages: MessageRegistry, dispatcher: Dispatcher, open: OpenCommand) {
    this.#open = open;
    this.#messages = messages;
    this.#dispatcher = dispatcher;
  }

  /** Reads a command of this service. Throws if its body does not match its type. */
  async read({ type, body }: MessageRecord): Promise<object> {
    return this.#read(type, await this.#open.own(body));
  }

  /** Reads a command that another host or an operator has written. */
  async readReceived({ type, body }: MessageRecord): Promise<object> {
    return this.#read(type, await this.#open.received(type, body));
  }

  #read(type: string, body: string): object {
    return readOrThrow(this.#messages.ofType(type).read, parseJson(body)) as object;
  }

  /** Runs a command for a scope, and commits `settles` together with its changes. */
  async run(
    command: object,
    message: MessageRecord,
    scope: EnvelopeScope,
    settles: CommittedAlong,
    attempt: number,
  ): Promise<void> {
    const { id, correlationId, causationId } = message;
    observeId(id);
    const metadata = inheritedMetadata(message.metadata);
    const received = { id, causationId, attempt, settles };
    await runAs(contextOf(scope), () => this.#dispatcher.invoke(command, { scope, correlationId, metadata, received }));
  }

  /** Runs a scheduled command for the tenant and user that scheduled it, or as the host. */
  async runScheduled(command: object, message: MessageRecord, run: ScheduledRun): Promise<void> {
    const { id, correlationId, causationId } = message;
    const metadata = inheritedMetadata(message.metadata);
    const { settles, attempt, scope } = run;
    observeId(id);
    const received = { id, causationId, attempt, settles };
    if (scope === null) {
      await runAsHost(() => this.#dispatcher.invoke(command, { correlationId, metadata, received }));
      return;
    }
    await runAs(contextOf(scope), () => this.#dispatcher.invoke(command, { scope, correlationId, metadata, received }));
  }
}

/**
 * The tenant and the user in the envelope, without roles and permissions, which this host has not checked. Never null, even without a tenant
 * and user: a sender must not become the host by omitting them.
 */
function contextOf(scope: EnvelopeScope): SecurityContext {
  const { userName, source } = scope;
  const reactions = reactionsIn(scope);
  return {
    scope: scopeOfValues(scope),
    roles: new Set<string>(),
    permissions: new Set<Permission>(),
    source: source!,
    ...(typeof userName === 'string' && { userName }),
    ...(reactions.length > 0 && { reactions }),
  };
}
