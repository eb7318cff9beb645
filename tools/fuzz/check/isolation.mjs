/** Looks for data of one tenant in responses to callers of another. */
/** Ids created by the service have version 7; those of the fuzzer have version 4. */
const serviceIds = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const mostIds = 400_000;

export class Isolation {
  #tenants;
  /** Ids that the service created for a tenant. */
  #owners = new Map();
  /** Ids of another tenant in running commands, which may store them as their own data. */
  #underWay = new Map();
  /** Ids that both tenants know by now. */
  #shared = new Set();
  /** Tenants and ids of others that their callers have sent: the audit records the denied attempt, and shows it to the tenant. */
  #attempted = new Set();

  constructor(tenants) {
    this.#tenants = tenants;
  }

  /** Records the ids of another tenant in a command, and ids that the service has not created, such as one of `hostile-values.mjs`. */
  sending(request) {
    const { method, foreignIds, body } = request;
    const tenant = tenantOf(request);
    for (const id of foreignIds) this.#attempted.add(`${tenant?.id} ${id}`);
    // To a caller without a tenant, all ids belong to others.
    if (tenant === null) {
      for (const [id] of sentBy(request).matchAll(serviceIds)) this.#attempted.add(`${tenant?.id} ${id}`);
    }
    if (method !== 'POST') return;
    for (const [id] of (body?.toString('latin1') ?? '').matchAll(serviceIds)) {
      if (!this.#owners.has(id)) this.#shared.add(id);
    }
    for (const id of foreignIds) this.#underWay.set(id, (this.#underWay.get(id) ?? 0) + 1);
  }

  /** What is wrong with a response; null if nothing is. */
  check(request, { headers, body }) {
    const tenant = tenantOf(request);
    const text = body.toString('utf8');
    for (const other of this.#tenants) {
      if (other === tenant || !text.includes(other.marker)) continue;
      // A caller without a tenant sends texts of a tenant, and an error may quote them.
      const isQuoted = request.target.includes(other.marker) || request.body?.includes(other.marker) === true;
      if (!isQuoted) return `The answer has the marker of ${other.id}.`;
    }
    const foreign = this.#foreignIdIn(`${text} ${headers['svc-last-event'] ?? ''}`, tenant, request);
    return foreign === null ? null : `The answer has ${foreign}, which belongs to another tenant.`;
  }

  /** Records the ids in the response to a command: the service created them. */
  answered(request, { status, headers, body }, commands) {
    if (request.method === 'POST') this.#settle(request.foreignIds, status === 200);
    if (commands === 0 || request.caller.tenant === null) return;
    for (const [id] of `${body.toString('utf8')} ${headers['svc-last-event']}`.matchAll(serviceIds)) {
      if (!this.#owners.has(id) && !this.#shared.has(id)) this.#own(id, request.caller.tenant);
    }
  }

  #foreignIdIn(text, tenant, request) {
    let sent;
    for (const [id] of text.matchAll(serviceIds)) {
      const owner = this.#owners.get(id);
      if (owner === undefined || owner === tenant || this.#underWay.has(id)) continue;
      // A problem repeats the id that the caller requested.
      sent ??= sentBy(request);
      if (sent.includes(id)) continue;
      if (!sent.includes('audit') || !this.#attempted.has(`${tenant?.id} ${id}`)) return id;
    }
    return null;
  }

  /** An id in a successful command may be data of both tenants from then on. */
  #settle(ids, isStored) {
    for (const id of ids) {
      if (isStored) this.#share(id);
      const left = (this.#underWay.get(id) ?? 1) - 1;
      if (left > 0) this.#underWay.set(id, left);
      else this.#underWay.delete(id);
    }
  }

  #share(id) {
    this.#owners.delete(id);
    this.#shared.add(id);
  }

  #own(id, tenant) {
    if (this.#owners.size >= mostIds) this.#owners.delete(this.#owners.keys().next().value);
    this.#owners.set(id, tenant);
  }
}

/** The tenant of whom the service knows that the request came: none if it rejects the credential. */
function tenantOf({ isRejected, caller }) {
  return isRejected ? null : caller.tenant;
}

function sentBy({ target, body }) {
  return `${decoded(target)} ${body?.toString('utf8') ?? ''}`.toLowerCase();
}

/** A target without percent-encoding, also where it is malformed. */
function decoded(target) {
  return target.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}
