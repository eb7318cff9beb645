import { AuditMode } from './audit-mode.js';

export interface ErrorEventOptions {
  /**
   * Also records commands that were rejected, such as by a business rule, by validation or because of a concurrency conflict: the first of a
   * caller and kind at once, then one record a minute with a `count`. Default: false.
   */
  readonly rejections?: boolean;
}

/** Which system events there are, and where they go. The flags are set by the methods alone. */
export class SystemEventOptions {
  /** System events stay on this host: they are neither published to nor received from the transport. */
  localOnly = true;
  /** OptOut audits everything but what is excluded; OptIn audits only what is marked with `@auditEvent`. */
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

  /** Whether rejected commands are error events, too. */
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

  enableEventAudit(): this {
    this.#eventAudit = true;
    return this;
  }

  enableCommandAudit(): this {
    this.#commandAudit = true;
    return this;
  }

  enablePerspectiveEvents(): this {
    this.#perspectiveEvents = true;
    return this;
  }

  /** Enables the records of unexpected failures; with `rejections`, those of rejected commands, too. */
  enableErrorEvents({ rejections }: ErrorEventOptions = {}): this {
    this.#errorEvents = true;
    if (rejections !== undefined) this.#rejectionEvents = rejections;
    return this;
  }

  /** Lets system events leave and enter through the transport. */
  broadcast(): this {
    this.localOnly = false;
    return this;
  }
}
