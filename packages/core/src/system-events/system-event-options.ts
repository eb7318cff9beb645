import { AuditMode } from './audit-mode.js';

/** Options of `SystemEventOptions.enableErrorEvents`. */
export interface ErrorEventOptions {
  /**
   * Also records rejected commands, such as those that violate a business rule, are invalid or conflict with another command: the first of a
   * caller and kind at once, then one record a minute with a `count`. Default: false.
   */
  readonly rejections?: boolean;
}

/** Which system events svc emits, and whether they leave the host. Only the methods set the flags. */
export class SystemEventOptions {
  /** System events stay on this host: they are neither published to nor received from the transport. */
  localOnly = true;
  /** OptOut audits every type that is not excluded; OptIn audits only types with `@auditEvent`. */
  auditMode: AuditMode = AuditMode.OptOut;
  #eventAudit = false;
  #commandAudit = false;
  #perspectiveEvents = false;
  #errorEvents = false;
  #rejectionEvents = false;

  get eventAuditEnabled(): boolean {
    return this.#eventAudit;
  }

  get commandAuditEnabled(): boolean {
    return this.#commandAudit;
  }

  get auditEnabled(): boolean {
    return this.#eventAudit || this.#commandAudit;
  }

  get perspectiveEventsEnabled(): boolean {
    return this.#perspectiveEvents;
  }

  get errorEventsEnabled(): boolean {
    return this.#errorEvents;
  }

  /** Whether rejected commands are recorded as error events. */
  get rejectionEventsEnabled(): boolean {
    return this.#rejectionEvents;
  }

  /** Enables every category. */
  enableAll(): this {
    return this.enableAudit().enablePerspectiveEvents().enableErrorEvents();
  }

  /** Enables the audit of events and of commands. */
  enableAudit(): this {
    return this.enableEventAudit().enableCommandAudit();
  }

  /** Enables the audit of events: an `EventAudited` for each. */
  enableEventAudit(): this {
    this.#eventAudit = true;
    return this;
  }

  /** Enables the audit of commands: a `CommandAudited` for each. */
  enableCommandAudit(): this {
    this.#commandAudit = true;
    return this;
  }

  /** Enables records of rebuilds and rewinds of perspectives. */
  enablePerspectiveEvents(): this {
    this.#perspectiveEvents = true;
    return this;
  }

  /** Enables records of unexpected failures and, with `rejections`, of rejected commands. */
  enableErrorEvents({ rejections }: ErrorEventOptions = {}): this {
    this.#errorEvents = true;
    if (rejections !== undefined) this.#rejectionEvents = rejections;
    return this;
  }

  /** Publishes system events to the transport, and accepts them from it. */
  broadcast(): this {
    this.localOnly = false;
    return this;
  }
}
