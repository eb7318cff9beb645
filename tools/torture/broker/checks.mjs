/** What must be true of hosts that receive each other's events, each with its own database, after all faults. */

/** Whether every host has received every event. */
export async function isEverywhere(hosts, storages) {
  for (const [owner, { streams }] of hosts.entries()) {
    for (const stream of streams) {
      const last = await Promise.all(storages.map((storage) => storage.lastPosition(stream)));
      if (last.some((position) => position < last[owner])) return false;
    }
  }
  return true;
}

/** The invariants, with how much was checked. */
export async function countingInvariants(hosts, storages) {
  const invariants = {
    'acknowledged requests are stored once': { checked: 0, violations: [] },
    'messages arrive once, in the order of their stream': { checked: 0, violations: [] },
    'audit records match events': { checked: 0, violations: [] },
    'nothing is left over': { checked: hosts.length, violations: [] },
  };
  const add = (name, checked, texts) => {
    invariants[name].checked += checked;
    invariants[name].violations.push(...texts);
  };
  for (const [i, host] of hosts.entries()) {
    const others = storages.filter((storage) => storage !== storages[i]);
    for (const stream of host.streams) {
      const numbers = await numbersIn(storages[i], stream);
      const answered = host.answered
        .filter((line) => line.startsWith(stream))
        .map((line) => Number(line.split(' ')[1]));
      add('acknowledged requests are stored once', answered.length, storedViolations(stream, answered, numbers));
      for (const other of others) {
        const received = await numbersIn(other, stream);
        add(
          'messages arrive once, in the order of their stream',
          received.length,
          orderViolations(stream, numbers, received),
        );
      }
    }
    const { own, violations } = await auditOf(host, storages[i]);
    add('audit records match events', own, violations);
    const letters = await storages[i].readDeadLetters(null, 100);
    add(
      'nothing is left over',
      0,
      letters.map(({ message, cause }) => `${host.name}: dead letter ${message.type}: ${cause}`),
    );
  }
  return Object.entries(invariants).map(([name, { checked, violations }]) => ({ name, checked, violations }));
}

function storedViolations(stream, answered, numbers) {
  const stored = new Set(numbers);
  return [
    ...(stored.size === numbers.length
      ? []
      : [`stream ${stream}: ${numbers.length - stored.size} events are stored twice`]),
    ...answered.filter((number) => !stored.has(number)).map((number) => `stream ${stream}: ${number} is lost`),
  ];
}

function orderViolations(stream, numbers, received) {
  const at = received.findIndex((number, i) => number !== numbers[i]);
  if (at === -1 && received.length === numbers.length) return [];
  return [
    `stream ${stream}: ${received.length} of ${numbers.length} events arrived, with a difference at position ${at}`,
  ];
}

/** Each host audits its own events, each once. */
async function auditOf({ name }, storage) {
  const [own, audited, violations] = [new Set(), new Set(), []];
  for await (const { id, type, body, metadata } of storage.readAll()) {
    if (type === 'numbers.Counted' && metadata.origin === undefined) own.add(id);
    if (type !== 'svc.EventAudited') continue;
    const { originalEventId } = JSON.parse(body);
    if (audited.has(originalEventId)) violations.push(`${name}: ${originalEventId} is audited twice`);
    audited.add(originalEventId);
  }
  for (const id of own) if (!audited.has(id)) violations.push(`${name}: ${id} is not audited`);
  for (const id of audited)
    if (!own.has(id)) violations.push(`${name}: ${id} is audited, but not an event of the host`);
  return { own: own.size, violations };
}

/** One record at a time: a long run has more records than should be in memory. */
async function numbersIn(storage, stream) {
  const numbers = [];
  for await (const { body } of storage.readStream(stream)) numbers.push(JSON.parse(body).number);
  return numbers;
}
