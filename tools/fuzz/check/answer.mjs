/** What must not happen to a request. */
export const slowMs = 1_000;
/** After this time a request counts as unanswered. */
export const lateMs = 45_000;

/** What is wrong with the outcome of a request: a kind and a text, or null. */
export function checkOutcome(request, wire, outcome, stalledMs) {
  if (outcome.kind === 'malformed') return { kind: 'malformed answer', text: outcome.detail };
  if (outcome.kind === 'late') return { kind: 'no answer', text: outcome.detail };
  if (outcome.kind === 'dropped') return null;
  if (outcome.kind === 'closed') {
    return wire.mustAnswer ? { kind: 'closed without an answer', text: outcome.detail } : null;
  }
  const { answer } = outcome;
  if (isBrokenJson(answer))
    return { kind: 'malformed answer', text: `No JSON: ${answer.body.toString('utf8', 0, 400)}` };
  const failure = failureIn(answer);
  if (failure !== null && !isRequested(request, answer)) return { kind: 'failed answer', text: failure };
  const ms = outcome.ms - stalledMs;
  const limitMs = slowMs + requestedWaitMs(request);
  return ms > limitMs ? { kind: 'slow answer', text: `${Math.round(ms)} ms` } : null;
}

/** Whether a response declares JSON but is not. A response without a body belongs to a HEAD request. */
function isBrokenJson({ headers, body }) {
  if (body.length === 0 || !/^application\/(?:[\w.-]+\+)?json/.test(headers['content-type'])) return false;
  try {
    JSON.parse(body.toString('utf8'));
    return false;
  } catch {
    return true;
  }
}

/** A status of 500 and more, or its equivalent in GraphQL. */
function failureIn({ status, body }) {
  if (status >= 500) return `${status} ${body.toString('utf8', 0, 400)}`;
  const code = /"code":"(?:INTERNAL_ERROR|UNAVAILABLE)"/.exec(body.toString('latin1'));
  return code === null ? null : `${status} ${body.toString('utf8', Math.max(0, code.index - 200), code.index + 200)}`;
}

/** A query that names an event fails if the models have not caught up. */
function isRequested({ target, body }, answer) {
  return answer.status === 503 && answer.body.includes('urn:svc:problem:event-not-taken') && asksToWait(target, body);
}

function asksToWait(target, body) {
  return target.includes('afterEvent') || body?.includes('afterEvent') === true;
}

/** How long a query asked to wait: over REST 5 seconds by default, over GraphQL up to 30 for each field. */
function requestedWaitMs({ target, headers, body }) {
  if (!asksToWait(target, body)) return 0;
  if (body !== null) return /waitSeconds\\?"?: ?0\b/.test(body.toString('latin1')) ? 0 : 30_000;
  return headers.some(([name, value]) => name === 'prefer' && value.toLowerCase().includes('wait')) ? 0 : 5_000;
}
