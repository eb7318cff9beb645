/** The events of orders: each has a booking, and is an event of the process. */
export const orderEvents = ['shop.OrderPlaced', 'shop.OrderPaid', 'shop.OrderShipped', 'shop.OrderCancelled'];

/** The events of some types. */
export function ofTypes({ events }, ...types) {
  return events.filter(({ type }) => types.includes(type));
}

export function grouped(items, keyOf) {
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
