import { grouped, ofTypes } from './history.mjs';

/** Positions have no gaps, and ids ascend with them, whatever the clocks of hosts say. */
export function streamViolations({ histories }) {
  return histories.flatMap((history) =>
    [...grouped(history.events, ({ streamId }) => streamId)].flatMap(([streamId, stream]) => {
      const where = `${history.name}, stream ${streamId}`;
      const violations = [];
      if (stream.some(({ position }, i) => position !== i)) violations.push(`${where}: its positions have gaps`);
      // Events of another database may be late: models put them in their place.
      const ids = stream.filter(({ origin }) => origin === null).map(({ id }) => id);
      if (ids.some((id, i) => i > 0 && id <= ids[i - 1])) violations.push(`${where}: its ids do not ascend`);
      return violations;
    }),
  );
}

/** Each deposit was decided after all earlier ones. */
export function decisionViolations({ histories }) {
  return histories.flatMap((history) =>
    ofTypes(history, 'bank.Deposited')
      .filter(({ body, position }) => body.number !== position)
      .map(({ body, position, streamId }) => {
        return `${history.name}, stream ${streamId}: the deposit at ${position} was decided after ${body.number} events`;
      }),
  );
}
