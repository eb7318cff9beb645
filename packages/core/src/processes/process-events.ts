import type { Int, Min, Uuid } from '../json/index.js';
import type { Event } from '../messages/index.js';

/** What a process did with its context. */
export interface ProcessAction {
  kind: 'appended' | 'invoked' | 'sent' | 'scheduled' | 'timeoutSet' | 'timeoutCancelled';
  /** The type of the event or command. */
  type?: string;
  /** The stream to which the event was appended. */
  streamId?: Uuid;
  /** The name of the timeout. */
  name?: string;
  /** When the command is due: at a time, or some time after the commit. */
  dueAt?: Date;
  dueAfterMs?: Int & Min<0>;
}

/** An instance of a process has processed an event. Its stream has one for each event, in the order of their arrival. */
export class ProcessAdvanced implements Event {
  process!: string;
  key!: string;
  eventId!: Uuid;
  eventType!: string;
  actions!: ProcessAction[];
}

/** An instance of a process has ended with its last event. */
export class ProcessCompleted implements Event {
  process!: string;
  key!: string;
}

/** An event arrived after its instance had ended. The process did not see it. */
export class ProcessEventIgnored implements Event {
  process!: string;
  key!: string;
  eventId!: Uuid;
  eventType!: string;
}
