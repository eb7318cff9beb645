import { grouped, ofTypes } from './history.mjs';

const rewinds = [
  'StreamRewindStarted',
  'StreamRewindCompleted',
  'PerspectiveRewindStarted',
  'PerspectiveRewindCompleted',
];
const rebuilds = ['Started', 'Progress', 'Completed', 'Failed'].map((name) => `PerspectiveRebuild${name}`);
const typed = (names) => names.map((name) => `svc.${name}`);

/** Rewinds and rebuilds are reported in the order of the specification. */
export function sequenceViolations({ histories }) {
  return histories.flatMap((history) => {
    const received = new Set(history.events.filter(({ origin }) => origin !== null).map(({ id }) => id));
    const streams = grouped(ofTypes(history, ...typed(rewinds)), ({ body }) => body.streamId);
    const runs = grouped(ofTypes(history, ...typed(rebuilds)), ({ body }) => body.streamId);
    return [
      ...[...streams].flatMap(([id, events]) => rewindViolations(`rewinds of stream ${id}`, events, received)),
      ...[...runs].flatMap(([id, events]) => rebuildViolations(`rebuild ${id}`, events)),
    ].map((text) => `${history.name}, ${text}`);
  });
}

/** Each rewind of a stream starts once, before its perspectives, and is completed once, after them. */
function rewindViolations(what, events, received) {
  const violations = [];
  let isStarted = false;
  const open = new Set();
  for (const { type, body } of events) {
    const name = type.slice('svc.'.length);
    if (name === 'StreamRewindStarted') {
      if (isStarted) violations.push(`${what}: started twice`);
      isStarted = true;
      continue;
    }
    if (!isStarted) violations.push(`${what}: ${name} before StreamRewindStarted`);
    if (name === 'PerspectiveRewindStarted') {
      open.add(body.perspectiveName);
      if (!received.has(body.triggeringEventId)) violations.push(`${what}: caused by an event of this database`);
    } else if (name === 'PerspectiveRewindCompleted') {
      if (!open.delete(body.perspectiveName))
        violations.push(`${what}: ${body.perspectiveName} completed, but not started`);
    } else {
      if (open.size > 0) violations.push(`${what}: completed before ${[...open].join(', ')}`);
      isStarted = false;
    }
  }
  if (isStarted) violations.push(`${what}: never completed`);
  return violations;
}

/** A rebuild starts once and ends at most once; one whose host crashed does not end. Its duration is not below 0, whatever the clock says. */
function rebuildViolations(what, events) {
  const names = events.map(({ type }) => type.slice('svc.PerspectiveRebuild'.length));
  const isValid = /^Started(,Progress)*(,Completed|,Failed)?$/.test(names.join());
  const durations = events.map(({ body }) => body.duration).filter((duration) => duration?.startsWith('PT-'));
  return [
    ...(isValid ? [] : [`${what}: it is reported as ${names.join(', ')}`]),
    ...durations.map((duration) => `${what}: its duration is ${duration}`),
  ];
}
