import { AuditMode } from './audit-mode.js';

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

  enableErrorEvents(): this {
    this.#errorEvents = true;
    return this;
  }

  /** Lets system events leave and enter through the transport. */
  broadcast(): this {
    this.localOnly = false;
    return this;
  }
}
