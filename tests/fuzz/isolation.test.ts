import { newId } from '@svc/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { Isolation, type Answer, type CheckedRequest, type Tenant } from '../../tools/fuzz/index.mjs';

const acme: Tenant = { id: 'acme', marker: 'acmemark1' };
const evil: Tenant = { id: 'evil', marker: 'evilmark2' };

function request(tenant: Tenant | null, more: Partial<CheckedRequest> = {}): CheckedRequest {
  const caller = { userId: 'x', tenant };
  return { number: 1, method: 'GET', target: '/orders', headers: [], body: null, caller, foreignIds: [], ...more };
}

function answer(body: string, headers: Record<string, string> = {}): Answer {
  return { status: 200, headers, body: Buffer.from(body) };
}

describe('an answer', () => {
  let isolation: Isolation;
  /** The service made it for acme. */
  let id: string;

  beforeEach(() => {
    isolation = new Isolation([acme, evil]);
    id = newId();
    isolation.answered(request(acme, { method: 'POST' }), answer(`{"orderId":"${id}"}`), 1);
  });

  it('may have everything of the tenant itself', () => {
    expect(isolation.check(request(acme), answer(`acmemark1 ${id}`))).toBeNull();
  });

  it('may not have a marker of another tenant, for any caller', () => {
    expect(isolation.check(request(evil), answer('acmemark1'))).toBe('The answer has the marker of acme.');
    expect(isolation.check(request(null), answer('evilmark2'))).toBe('The answer has the marker of evil.');
    expect(isolation.check(request(acme, { isRejected: true }), answer('acmemark1'))).toMatch(/marker of acme/);
  });

  it('may quote a marker that was sent', () => {
    expect(isolation.check(request(null, { target: '/acmemark1' }), answer('no acmemark1'))).toBeNull();
    expect(isolation.check(request(null, { body: Buffer.from('acmemark1') }), answer('no acmemark1'))).toBeNull();
  });

  it('may not have an id of another tenant, unless the request contains it', () => {
    expect(isolation.check(request(evil), answer(`{"id":"${id}"}`))).toContain(
      `${id}, which belongs to another tenant`,
    );
    expect(isolation.check(request(evil), answer('{}', { 'svc-last-event': id }))).toContain(id);
    expect(isolation.check(request(evil, { target: `/orders/${id.toUpperCase()}` }), answer(`no ${id}`))).toBeNull();
  });

  it('may have an id that the tenant has stored as its own data', () => {
    const storing = request(evil, { method: 'POST', foreignIds: [id] });
    isolation.sending(storing);
    // It may be seen before the answer to the command is there.
    expect(isolation.check(request(evil), answer(id))).toBeNull();
    isolation.answered(storing, { ...answer(''), status: 404 }, 0);
    expect(isolation.check(request(evil), answer(id))).toContain(id);
    isolation.sending(storing);
    isolation.answered(storing, answer('{}'), 1);
    expect(isolation.check(request(evil), answer(id))).toBeNull();
  });

  it('may have an id that the tenant has sent, if it is the audit of the denied attempt', () => {
    const audit = { target: '/audit?limit=5' };
    expect(isolation.check(request(evil, audit), answer(id))).toContain(id);
    isolation.sending(request(evil, { target: `/orders/${id}`, foreignIds: [id] }));
    expect(isolation.check(request(evil, audit), answer(id))).toBeNull();
    expect(isolation.check(request(evil, { target: '/%61%75%64%69%74' }), answer(id))).toBeNull();
    expect(isolation.check(request(evil), answer(id))).toContain(id);
    expect(isolation.check(request(null, audit), answer(id))).toContain(id);
  });

  it('may have an id that the service has not generated, once a caller has sent it', () => {
    const madeUp = newId();
    const sending = request(acme, { method: 'POST', body: Buffer.from(`{"customerId":"${madeUp}"}`) });
    isolation.sending(sending);
    isolation.answered(sending, answer(`{"customerId":"${madeUp}"}`), 1);
    expect(isolation.check(request(evil), answer(madeUp))).toBeNull();
    isolation.sending(request(evil, { method: 'POST', body: Buffer.from(id) }));
    expect(isolation.check(request(evil), answer(id))).toContain(id);
  });
});
