import { grouped } from './history.mjs';

/** Each cause has one effect, and there is no effect without a cause. `causeOf` returns the id of the cause of an effect. */
export function once(what, causes, effects, causeOf = ({ body }) => body.eventId) {
  const byCause = grouped(effects, causeOf);
  const violations = [];
  for (const { id, type } of causes) {
    const count = byCause.get(id)?.length ?? 0;
    if (count !== 1) violations.push(`${what}: ${count} times for ${type} ${id}`);
    byCause.delete(id);
  }
  for (const cause of byCause.keys()) violations.push(`${what}: for ${cause}, which is not stored`);
  return violations;
}

/** The effects of the events of each stream are in the order of the stream. */
export function inOrder(what, causes, effects, causeOf = ({ body }) => body.eventId) {
  const places = new Map(effects.map((effect, place) => [causeOf(effect), place]));
  return [...grouped(causes, ({ streamId }) => streamId)].flatMap(([streamId, stream]) => {
    const found = stream.map(({ id }) => places.get(id)).filter((place) => place !== undefined);
    return found.every((place, i) => i === 0 || place > found[i - 1])
      ? []
      : [`${what}: not in the order of ${streamId}`];
  });
}
