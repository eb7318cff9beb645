import { expect, it } from 'vitest';
import type { Queryable, Value } from './reader.js';
import { openGate, ReadingGate } from './reading-gate.js';

/** Answers each call with the next gate. The oldest open transaction is always 3. */
function answering(...gates: string[]): { readonly reader: Queryable; readonly asked: (readonly Value[])[] } {
  const asked: (readonly Value[])[] = [];
  const rows: Queryable['rows'] = (_name, _text, values = []) => {
    asked.push(values);
    return Promise.resolve([{ oldest: '3', gate: gates.shift()! }]);
  };
  return { reader: { rows }, asked };
}

it('needs no statement if all transactions up to the last event have ended', () => {
  expect(openGate('5', '6')).toEqual({ gate: '6', isOpen: true });
  expect(openGate('5', '1000')).toEqual({ gate: '6', isOpen: true });
  expect(openGate('5', '5')).toBeNull();
});

it('ends at the last committed event, because a crashed server may assign later ids again', async () => {
  const { reader } = answering('1000');
  expect(await new ReadingGate(reader).read('5')).toEqual({ gate: '6', isOpen: true });
});

it('ends before the oldest open append', async () => {
  const { reader } = answering('5', '4');
  const gate = new ReadingGate(reader);
  expect(await gate.read('5')).toEqual({ gate: '5', isOpen: false });
  expect(await gate.read('5')).toEqual({ gate: '4', isOpen: false });
});

it('asks for locks only if the same transaction was the oldest one before', async () => {
  const { reader, asked } = answering('3', '6');
  const gate = new ReadingGate(reader);
  await gate.read('5');
  await gate.read('5');
  expect(asked).toEqual([
    ['5', '0'],
    ['5', '3'],
  ]);
});
