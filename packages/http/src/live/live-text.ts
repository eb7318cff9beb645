/** The steps of live queries as server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
import type { LiveModel, LiveStep, LiveUpsert } from '@svc/core/hosting';

const texts = new WeakMap<LiveStep, Buffer>();

/** The bytes of a step, created once for all clients that need it. */
export function bytesOf(step: LiveStep): Buffer {
  let bytes = texts.get(step);
  if (bytes === undefined) texts.set(step, (bytes = Buffer.from(textOf(step))));
  return bytes;
}

/** Only the last event has the new place: a client that has received a part of a step gets all of it again. */
function textOf(step: LiveStep): string {
  const events = eventsOf(step);
  const from = step.kind === 'page' ? null : step.from;
  return events.map(([name, data], i) => event(i === events.length - 1 ? step.place : from, name, data)).join('');
}

function eventsOf(step: LiveStep): (readonly [name: string, data: string])[] {
  if (step.kind === 'page') {
    const page = ['page', `{"models":[${step.models.map(modelText).join(',')}]}`] as const;
    return step.isReset ? [['reset', '{}'], page] : [page];
  }
  const upserts = step.upserts.map((upsert) => ['upsert', upsertText(upsert)] as const);
  if (step.kind === 'resumed') return [...upserts, ['keys', JSON.stringify({ keys: step.keys })]];
  return [...step.removed.map((key) => ['remove', JSON.stringify({ key })] as const), ...upserts];
}

function event(place: string | null, name: string, data: string): string {
  return `${place === null ? '' : `id: ${place}\n`}event: ${name}\ndata: ${data}\n\n`;
}

function modelText({ key, body }: LiveModel): string {
  return `{"key":${JSON.stringify(key)},"model":${body}}`;
}

function upsertText({ key, after, body }: LiveUpsert): string {
  return `{"key":${JSON.stringify(key)},"after":${JSON.stringify(after)},"model":${body}}`;
}
