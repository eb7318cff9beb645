/** A service that schedules reminders, and what its tests need. */
import {
  createService,
  currentSecurityContext,
  newId,
  type Command,
  type MessageClass,
  type ReceptorContext,
  type Service,
  type ServiceRegistry,
  type Uuid,
} from '@svc/core';
import type { Storage } from '@svc/core/storage';
import { collect, type MessageDescriptor, type MessageKind } from '@svc/core/testing';
import { onTestFinished } from 'vitest';

export type ScheduleOptions = Parameters<ReceptorContext['schedule']>[1];

/** Runs the script of a test. */
export class Act {
  script = '';
}
/** Appends `Reminded`. */
export class Remind {
  text = '';
}
export class Reminded {
  text = '';
}

function descriptor<T extends object>(
  type: string,
  kind: MessageKind,
  made: new () => T,
  isStrict = false,
): MessageDescriptor<T> {
  return {
    type,
    kind,
    class: made,
    read: (value, issues) => {
      if (isStrict && !('text' in (value as object))) issues.add('text', 'is required');
      return Object.assign(new made(), value);
    },
    write: (message) => JSON.stringify(message),
  };
}

export type Script = (context: ReceptorContext) => unknown;

export interface Scripts {
  /** What commands do, by the text of `Act.script`. */
  readonly [name: string]: Script;
}

export interface ReminderOptions {
  readonly scripts?: Scripts;
  readonly remind?: (command: Remind, context: ReceptorContext) => unknown;
  /** Receives the errors for the log. */
  readonly report?: (error: unknown) => void;
  /** Whether the further commands have a required property. */
  readonly isStrict?: boolean;
  /** Further commands, each with its receptor. */
  readonly commands?: readonly {
    readonly command: MessageClass<Command>;
    readonly receive: (context: ReceptorContext) => unknown;
  }[];
}

const stream = '0190a3c0-0000-7000-8000-000000000001' as Uuid;

export const remind = (command: Remind, context: ReceptorContext): void => {
  const tenant = currentSecurityContext()?.scope.tenantId;
  context.append(tenant === undefined ? stream : newId(), Object.assign(new Reminded(), command));
};

export function remindersRegistry({
  scripts = {},
  remind: receive = remind,
  commands = [],
  isStrict = false,
}: ReminderOptions = {}): ServiceRegistry<object> {
  return {
    endpoints: [],
    openapi: { paths: {}, components: { schemas: {} } },
    messages: [
      descriptor('reminders.Act', 'command', Act),
      descriptor('reminders.Remind', 'command', Remind),
      descriptor('reminders.Reminded', 'event', Reminded),
      ...commands.map(({ command }) => descriptor(`reminders.${command.name}`, 'command', command, isStrict)),
    ],
    receptors: [
      {
        name: 'ActReceptor',
        command: Act,
        create: () => ({ receive: ({ script }: Act, context) => scripts[script]!(context) }),
      },
      { name: 'RemindReceptor', command: Remind, create: () => ({ receive }) },
      ...commands.map(({ command, receive: run }) => ({
        name: `${command.name}Receptor`,
        command,
        create: () => ({ receive: (_command: object, context: ReceptorContext) => run(context) }),
      })),
    ],
  };
}

/** Starts the service; it stops after the test. */
export async function startReminders(
  storage: Storage,
  options: ReminderOptions = {},
  configure: (service: Service) => Service = (service) => service,
): Promise<Service> {
  const service = configure(
    createService(remindersRegistry(options))
      .useStorage(storage)
      .addSystemEventAuditing((events) => events.enableAll())
      .reportTo(options.report ?? (() => {})),
  );
  service.start();
  onTestFinished(() => service.stop());
  await service.ready();
  return service;
}

export const act = (service: Service, script: string): Promise<unknown> =>
  service.dispatcher.invoke(Object.assign(new Act(), { script }));

export const reminder = (text: string): Remind => Object.assign(new Remind(), { text });

export const schedule =
  (text: string, options: ScheduleOptions): Script =>
  (context) =>
    context.schedule(reminder(text), options);

/** The texts of all reminders, in order. */
export async function reminded(service: Service): Promise<string[]> {
  return (await collect(service.eventStore.readAll()))
    .map(({ envelope: { payload } }) => payload)
    .filter((payload) => payload instanceof Reminded)
    .map(({ text }) => text);
}

/** The texts of all scheduled reminders, in the order in which they are due. */
export async function scheduled(storage: Storage): Promise<string[]> {
  const commands = await storage.schedule!.read(1_000);
  return commands.map(({ message }) => (JSON.parse(message.body) as Remind).text);
}

/** Makes all scheduled commands due, as an operator does. */
export async function makeAllDue(storage: Storage): Promise<void> {
  for (const { message } of await storage.schedule!.read(1_000)) await storage.schedule!.makeDue(message.id);
}
