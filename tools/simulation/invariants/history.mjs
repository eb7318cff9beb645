/** Everything that a service has stored, for the checks. */
const most = 100_000;

/** `tenantOfEvent` is the function of `core`. */
export async function historyOf({ name, storage, realm }, tenantOfEvent) {
  realm.enter();
  const events = [];
  for await (const record of storage.readAll()) {
    const { id, type, body, streamId, position, causationId, metadata } = record;
    const origin = metadata.origin ?? null;
    events.push({
      id,
      type,
      body: JSON.parse(body),
      streamId,
      position,
      causationId,
      origin,
      tenant: tenantOfEvent(record),
    });
  }
  const letters = await storage.readDeadLetters(null, most);
  const deadLetters = letters.map(({ direction, cause, message }) => `${direction} ${message.type}: ${cause}`);
  return { name, events, deadLetters, storage };
}

export function ofTypes({ events }, ...types) {
  return events.filter(({ type }) => types.includes(type));
}

export function own(events) {
  return events.filter(({ origin }) => origin === null);
}

export function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    if (groups.has(key)) groups.get(key).push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
