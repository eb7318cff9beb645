import type { History, HistoryEvent } from './history.js';

/** The events of orders: each has a booking, and is an event of the process. */
export const orderEvents = ['shop.OrderPlaced', 'shop.OrderPaid', 'shop.OrderShipped', 'shop.OrderCancelled'];

/** The events of some types. */
export function ofTypes({ events }: Pick<History, 'events'>, ...types: readonly string[]): HistoryEvent[] {
  return events.filter(({ type }) => types.includes(type));
}

export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
