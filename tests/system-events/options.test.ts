/** SystemEventOptions: one test for each member and each method of the specification's tables. */
import { AuditMode, SystemEventOptions } from '@svc/core';
import { describe, expect, it } from 'vitest';

const flags = (options: SystemEventOptions): Record<string, boolean> => ({
  eventAuditEnabled: options.eventAuditEnabled,
  commandAuditEnabled: options.commandAuditEnabled,
  auditEnabled: options.auditEnabled,
  perspectiveEventsEnabled: options.perspectiveEventsEnabled,
  errorEventsEnabled: options.errorEventsEnabled,
});
const off = flags(new SystemEventOptions());

describe('members', () => {
  it('LocalOnly: settable, true by default', () => {
    const options = new SystemEventOptions();
    expect(options.localOnly).toBe(true);
    options.localOnly = false;
    expect(options.localOnly).toBe(false);
  });

  it('AuditMode: settable, OptOut by default', () => {
    const options = new SystemEventOptions();
    expect(options.auditMode).toBe(AuditMode.OptOut);
    options.auditMode = AuditMode.OptIn;
    expect(options.auditMode).toBe(AuditMode.OptIn);
  });

  it.each(Object.keys(off))('%s: false by default, and cannot be set from outside', (name) => {
    const options = new SystemEventOptions();
    expect(options[name as keyof SystemEventOptions]).toBe(false);
    expect(() => Object.assign(options, { [name]: true })).toThrow(TypeError);
    expect(options[name as keyof SystemEventOptions]).toBe(false);
  });

  it('the flags are read-only for the compiler, too', () => {
    const options = new SystemEventOptions();
    const set = (): void => {
      // @ts-expect-error -- read-only
      options.eventAuditEnabled = true;
      // @ts-expect-error -- read-only
      options.commandAuditEnabled = true;
      // @ts-expect-error -- read-only
      options.auditEnabled = true;
      // @ts-expect-error -- read-only
      options.perspectiveEventsEnabled = true;
      // @ts-expect-error -- read-only
      options.errorEventsEnabled = true;
    };
    expect(set).toThrow(TypeError);
  });

  it('AuditEnabled: derived, true with either of the two', () => {
    expect(new SystemEventOptions().enableEventAudit().auditEnabled).toBe(true);
    expect(new SystemEventOptions().enableCommandAudit().auditEnabled).toBe(true);
  });
});

describe('methods', () => {
  const all = Object.fromEntries(Object.keys(off).map((name) => [name, true]));
  it.each<[string, (options: SystemEventOptions) => SystemEventOptions, object]>([
    ['EnableAll', (options) => options.enableAll(), all],
    [
      'EnableAudit',
      (options) => options.enableAudit(),
      { eventAuditEnabled: true, commandAuditEnabled: true, auditEnabled: true },
    ],
    ['EnableEventAudit', (options) => options.enableEventAudit(), { eventAuditEnabled: true, auditEnabled: true }],
    [
      'EnableCommandAudit',
      (options) => options.enableCommandAudit(),
      { commandAuditEnabled: true, auditEnabled: true },
    ],
    ['EnablePerspectiveEvents', (options) => options.enablePerspectiveEvents(), { perspectiveEventsEnabled: true }],
    ['EnableErrorEvents', (options) => options.enableErrorEvents(), { errorEventsEnabled: true }],
    ['Broadcast', (options) => options.broadcast(), {}],
  ])('%s is fluent and sets only its own option', (name, call, expected) => {
    const options = new SystemEventOptions();
    expect(call(options)).toBe(options);
    expect(flags(options)).toEqual({ ...off, ...expected });
    expect(options.localOnly).toBe(name !== 'Broadcast');
  });

  it('EnableErrorEvents records rejections only if that is asked for, and a later call without it keeps that', () => {
    const options = new SystemEventOptions().enableErrorEvents();
    expect(options.rejectionEventsEnabled).toBe(false);
    expect(options.enableErrorEvents({ rejections: true }).enableAll().rejectionEventsEnabled).toBe(true);
    expect(options.enableErrorEvents({ rejections: false }).rejectionEventsEnabled).toBe(false);
  });

  it('AuditMode assignment works together with them in one callback', () => {
    const options = new SystemEventOptions().enableAll().broadcast();
    options.auditMode = AuditMode.OptIn;
    expect([options.auditMode, options.localOnly, options.auditEnabled]).toEqual(['OptIn', false, true]);
  });
});
