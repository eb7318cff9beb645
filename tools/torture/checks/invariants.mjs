/** What must be true of the histories of one shop, or of two that exchange messages, after all faults. */
import { auditViolations, ownEvents } from './audit.mjs';
import { countEffects, effectViolations, exchangeViolations } from './effects.mjs';
import { grouped, ofTypes } from './events-of.mjs';
import { modelViolations } from './models.mjs';
import { processViolations } from './processes.mjs';
import { reminderViolations } from './reminders.mjs';
import { requestViolations } from './requests.mjs';

/** How many of the last events may wait for their seal. */
const mostUnsealed = 500;

/** For each invariant: how many things it is about in a history, and what violates it. */
const checks = {
  'acknowledged requests are stored once': [({ requests }) => requests.length, requestViolations],
  'audit records match events': [(history) => ownEvents(history).length, auditViolations],
  'streams are in order': [({ events }) => grouped(events, ({ streamId }) => streamId).size, positionViolations],
  'models equal the fold of their events': [({ models }) => models.length, modelViolations],
  'effects happen once': [countEffects, effectViolations],
  'processes do what their events say': [({ instances }) => instances.length, processViolations],
  'scheduled commands run once': [(history) => ofTypes(history, ...scheduledTypes).length, scheduleViolations],
  'seals cover the log and do not fork': [({ seals }) => seals.events, sealViolations],
  'nothing is left over': [() => 1, leftoverViolations],
};

/** Hosts are checked while a run goes on. */
export const endedHosts = 'hosts do not end by themselves';

export const invariants = [...Object.keys(checks), endedHosts];

/** Each invariant with how much was checked, and the violations. */
export function invariantsOf(histories) {
  const [first, second = first] = histories;
  return Object.entries(checks).map(([name, [count, check]]) => {
    const violations = histories.flatMap((history) => check(history).map((text) => `${history.shop}: ${text}`));
    if (name === 'effects happen once') {
      violations.push(...exchangeViolations(first, second));
      if (second !== first) violations.push(...exchangeViolations(second, first));
    }
    return { name, checked: histories.reduce((sum, history) => sum + count(history), 0), violations };
  });
}

/** The violations of all invariants. */
export function violationsOf(histories) {
  return invariantsOf(histories).flatMap(({ violations }) => violations);
}

function positionViolations({ events }) {
  return [...grouped(events, ({ streamId }) => streamId)].flatMap(([streamId, stream]) =>
    stream.some(({ position }, i) => position !== i)
      ? [`stream ${streamId}: its positions have gaps or another order`]
      : [],
  );
}

const scheduledTypes = ['shop.ReminderScheduled', 'shop.Ticked'];

function scheduleViolations(history) {
  const ticks = grouped(ofTypes(history, 'shop.Ticked'), ({ body }) => body.commandId);
  return [
    ...reminderViolations(history),
    ...[...ticks]
      .filter(([, ticked]) => ticked.length > 1)
      .map(([id]) => `recurring command ${id}: ran more than once`),
    ...(ticks.size === 0 ? ['the recurring command never ran'] : []),
  ];
}

function sealViolations({ seals: { checkpoints, events: sealed, finding }, events }) {
  return [
    ...(finding === null ? [] : [`seals: ${finding}`]),
    ...(checkpoints === 0 ? ['seals: nothing is sealed'] : []),
    ...(events.length - sealed > mostUnsealed ? [`seals: ${events.length - sealed} events are not sealed`] : []),
  ];
}

function leftoverViolations({ failedStreams, deadLetters, scheduled }) {
  const waiting = scheduled.filter((key) => !key.startsWith('$svc-recurring|'));
  const recurring = scheduled.length - waiting.length;
  return [
    ...failedStreams,
    ...deadLetters.map((letter) => `dead letter: ${letter}`),
    ...waiting.map((key) => `still scheduled: ${key}`),
    ...(recurring === 1 ? [] : [`the recurring command is scheduled ${recurring} times`]),
  ];
}
