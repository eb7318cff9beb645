import { checkOutcome, lateMs } from './check/answer.mjs';
import { committedCommands } from './check/committed-commands.mjs';
import { Isolation } from './check/isolation.mjs';
import { Ledger } from './check/ledger.mjs';
import { numberOfTraceId } from './generate/generator.mjs';
import { Connection } from './send/connection.mjs';
import { Stalls } from './send/stalls.mjs';
import { wireOf } from './send/wire.mjs';
import { shrunk } from './shrink.mjs';
import { Statistics } from './statistics.mjs';

/** Larger responses repeat what smaller ones have shown. */
const mostLearnt = 8_000;
const mostRecent = 5_000;
/** Kinds of failures that repeat with their request. */
const repeatable = new Set(['failed answer', 'closed without an answer', 'malformed answer']);

/** Sends requests to one service, checks each response, and records what its log must contain. */
export class Session {
  ledger = new Ledger();
  statistics = new Statistics();
  failures;
  #isolation;
  #schema;
  #stalls = new Stalls();
  #port;
  /** The most recent requests, for lines of the log that name one. */
  #recent = new Map();

  constructor(port, tenants, schema, failures) {
    this.#port = port;
    this.#schema = schema;
    this.failures = failures;
    this.#isolation = new Isolation(tenants);
  }

  /** Sends a request and adds problems of its response to the failures. */
  async send(connection, request) {
    this.#remember(request);
    const { outcome, wrong } = await this.#exchange(connection, request);
    this.statistics.add(request, outcome);
    if (wrong === null) return;
    const { kind, text } = wrong;
    const isShrunk = repeatable.has(kind) && this.failures.isNew(kind, text, request);
    this.failures.add(kind, text, isShrunk ? await this.#shrunk(request, kind) : request);
  }

  /** Adds a line of the service's log to the failures, with the request it names, if any. */
  logged(line, traceId) {
    const number = traceId === null ? null : numberOfTraceId(traceId);
    this.failures.add('logged error', line.slice(0, 2000), this.#recent.get(number) ?? null);
  }

  close() {
    this.#stalls.stop();
  }

  async #exchange(connection, request) {
    const wire = wireOf(request);
    this.#isolation.sending(request);
    const outcome = await connection.send(wire, lateMs);
    const wrong = checkOutcome(request, wire, outcome, this.#stalls.within(outcome.ms));
    if (outcome.kind !== 'answered') {
      if (wire.mustAnswer || outcome.kind === 'dropped') this.ledger.lost(request);
      this.#isolation.answered(request, { status: 0 }, 0);
      return { outcome, wrong };
    }
    return { outcome, wrong: this.#take(request, outcome.answer) ?? wrong };
  }

  /** Checks whose data a response contains, and records what was committed. */
  #take(request, answer) {
    const leak = this.#isolation.check(request, answer);
    const commands = committedCommands(request, answer, this.#schema);
    this.#isolation.answered(request, answer, commands);
    if (request.isRejected && commands > 0)
      return { kind: 'rejected credential', text: 'A command was committed for it.' };
    if (!request.isRejected) {
      this.ledger.answered(request, commands, answer.headers['svc-last-event']);
      learn(request.caller.tenant, answer);
    }
    return leak === null ? null : { kind: 'another tenant', text: leak };
  }

  async #shrunk(request, kind) {
    const connection = new Connection(this.#port);
    const smaller = await shrunk(request, async (candidate) => {
      const { wrong } = await this.#exchange(connection, candidate);
      return wrong?.kind === kind;
    });
    connection.close();
    return smaller;
  }

  #remember(request) {
    this.#recent.set(request.number, request);
    this.#recent.delete(request.number - mostRecent);
  }
}

/** Collects the ids of a response, for later requests. */
function learn(tenant, { status, headers, body }) {
  if (tenant === null || status !== 200) return;
  if (headers['svc-last-event'] !== undefined) tenant.known.addEvent(headers['svc-last-event']);
  const isJson = headers['content-type']?.startsWith('application/json') === true;
  if (isJson && body.length > 0 && body.length <= mostLearnt) tenant.known.learn(JSON.parse(body.toString('utf8')));
}
