import { ofTypes } from './history.mjs';

/** Models have all events of their log, each once, in causal order; also those that callers read during the run. */
export async function modelViolations({ histories, clients, plan }) {
  const violations = [];
  const causes = new Map();
  for (const history of histories) {
    for (const { body } of ofTypes(history, 'news.Recorded')) causes.set(body.label, body.seen);
    for (const tenant of Object.keys(plan.streams)) {
      for (const key of plan.streams[tenant]) {
        const events = recorded(history, tenant).filter(({ streamId }) => streamId === key);
        // In one stream, the order is that of ids.
        const expected = events.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ body }) => body.label);
        violations.push(...(await difference(history, 'Streams', key, tenant, expected)));
      }
      for (const key of ['a', 'b']) {
        const events = recorded(history, tenant).filter(({ body }) => body.ledger === key);
        const expected = causalOrder(events).map(({ body }) => body.label);
        violations.push(...(await difference(history, 'Ledgers', key, tenant, expected)));
        violations.push(...early(`${history.name}, Ledgers ${key} of ${tenant}`, expected, causes));
      }
    }
  }
  for (const { perspective, key, tenant, labels } of clients.reads) {
    violations.push(...early(`${perspective} ${key}, as ${tenant} read it`, labels, causes));
  }
  return violations;
}

function recorded(history, tenant) {
  return ofTypes(history, 'news.Recorded').filter((event) => event.tenant === tenant);
}

async function difference({ name, storage }, perspective, key, tenant, expected) {
  const models = await storage.perspectives.findModels(perspective, key, 10);
  const found = models.map(({ body }) => JSON.parse(body).labels).filter(([first]) => first?.startsWith(`${tenant}.`));
  const texts = found.map((labels) => labels.join(' '));
  const text = expected.join(' ');
  if (texts.length === (expected.length === 0 ? 0 : 1) && (expected.length === 0 || texts[0] === text)) return [];
  return [`${name}, ${perspective} ${key} of ${tenant}: it is [${texts.join('], [')}] instead of [${text}]`];
}

/** In the order of the log; an event of another database is after the last one with a smaller id (decision 0075). */
function causalOrder(events) {
  const ordered = [];
  for (const event of events) {
    const at = event.origin === null ? ordered.length : 1 + ordered.findLastIndex(({ id }) => id < event.id);
    ordered.splice(at, 0, event);
  }
  return ordered;
}

/** Where a model has an event twice, or before one that its command had read. */
function early(what, labels, causes) {
  const places = new Map(labels.map((label, place) => [label, place]));
  const twice = labels
    .filter((label, place) => places.get(label) !== place)
    .map((label) => `${what}: ${label} occurs twice`);
  const before = labels.flatMap((label, place) =>
    (causes.get(label) ?? [])
      .filter((cause) => (places.get(cause) ?? -1) > place)
      .map((cause) => `${what}: ${label} is before ${cause}, which caused it`),
  );
  return [...twice, ...before];
}
