import { grouped, ofTypes, orderEvents } from './events-of.mjs';

/** The model of each order has the events of its stream, each once, in their order. There is no other model. */
export function modelViolations(history) {
  const models = new Map(history.models.map(({ key, ids }) => [key, ids]));
  const violations = [];
  for (const [streamId, events] of grouped(ofTypes(history, ...orderEvents), (event) => event.streamId)) {
    const [expected, found] = [events.map(({ id }) => id).join(), (models.get(streamId) ?? []).join()];
    models.delete(streamId);
    if (found !== expected) violations.push(`model ${streamId}: it has ${found || 'no events'}, not ${expected}`);
  }
  for (const key of models.keys()) violations.push(`model ${key}: it has no events`);
  return violations;
}
