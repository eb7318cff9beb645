import { expect, it } from 'vitest';
import { cloudEventIdKey, newId, timeOfId } from '../messages/index.js';
import { isMapped, mappedId, receivedIdOf, timedId } from './mapped-id.js';

it('maps a text of a source to the same id each time, and any other text, source or attribute to another', () => {
  const id = mappedId('id', 'shop', 'order-1');
  expect(mappedId('id', 'shop', 'order-1')).toBe(id);
  const ids = [
    id,
    mappedId('id', 'shop', 'order-2'),
    mappedId('id', 'web', 'order-1'),
    mappedId('subject', 'shop', 'order-1'),
    mappedId('subject', 'shop', 'order-2'),
  ];
  // The first digits of a mapped id are the same for all.
  expect(new Set(ids.map((one) => one.slice(15))).size).toBe(5);
});

it('maps ids below every id with a time, and marks them; subjects keep the whole hash', () => {
  const id = mappedId('id', 'shop', 'order-1');
  expect(id).toMatch(/^00000000-0000-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(isMapped(id)).toBe(true);
  const subject = mappedId('subject', 'shop', 'order-1');
  expect(subject).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(isMapped(subject)).toBe(false);
  expect(isMapped(newId())).toBe(false);
});

it('stays the same in later versions: receivers have stored the ids', () => {
  expect(mappedId('id', 'shop', 'order-1')).toMatchInlineSnapshot(`"00000000-0000-8b3d-87d9-a976466c0f03"`);
  expect(mappedId('subject', 'shop', 'order-1')).toMatchInlineSnapshot(`"bb75eccf-7031-8150-87d5-e6ddbb50bdbe"`);
});

it('gives a mapped id the time of its event, not before 1970', () => {
  const id = mappedId('id', 'shop', 'order-1');
  const time = Date.UTC(2026, 1, 3);
  expect(timeOfId(timedId(id, time))).toBe(time);
  expect(timedId(id, time).slice(15)).toBe(id.slice(15));
  expect(timeOfId(timedId(id, -1))).toBe(0);
});

it('records a message as received under its id, or under that of its CloudEvent whatever its time', () => {
  const [id, origin] = [newId(), 'shop'];
  expect(receivedIdOf({ id, origin, metadata: {} })).toBe(id);
  expect(receivedIdOf({ id, origin, metadata: { [cloudEventIdKey]: 1 } })).toBe(id);
  const metadata = { [cloudEventIdKey]: 'order-1' };
  expect(receivedIdOf({ id, origin, metadata })).toBe(mappedId('id', 'shop', 'order-1'));
});
