import { describe, expect, it } from 'vitest';
import { newId } from '../../messages/index.js';
import { ModelSources, positionsOf, positionsPerBlock } from './model-sources.js';

const [older, newer, newest] = [newId(), newId(), newId()];
const [stream, other] = [newId(), newId()];

describe('the positions of a source', () => {
  it('are those of its bits, in the block of 32 positions', () => {
    const source = { id: 'k', streamId: stream, lastEventId: older };
    expect(positionsPerBlock).toBe(32);
    expect(positionsOf({ ...source, block: 0, events: 0b101 })).toEqual([0, 2]);
    expect(positionsOf({ ...source, block: 2, events: 2 ** 31 + 1 })).toEqual([64, 95]);
    expect(positionsOf({ ...source, block: 1, events: 0 })).toEqual([]);
  });
});

describe('collected sources', () => {
  it('have a bit for each event, in the block of its position', () => {
    const sources = new ModelSources();
    for (const position of [0, 5, 31, 32, 70]) sources.addEvent('k', stream, position, older);
    expect(sources.all()).toEqual([
      { id: 'k', streamId: stream, block: 0, events: 2 ** 31 + 0b100001, lastEventId: older },
      { id: 'k', streamId: stream, block: 1, events: 1, lastEventId: older },
      { id: 'k', streamId: stream, block: 2, events: 0b1000000, lastEventId: older },
    ]);
    expect(sources.all().flatMap(positionsOf)).toEqual([0, 5, 31, 32, 70]);
    expect(sources.count).toBe(3);
  });

  it('merge those of the same block, with the highest event id', () => {
    const sources = new ModelSources();
    sources.add({ id: 'k', streamId: stream, block: 1, events: 2 ** 31, lastEventId: newer });
    sources.add({ id: 'k', streamId: stream, block: 1, events: 0b1, lastEventId: older });
    expect(sources.of('k', null)).toEqual([
      { id: 'k', streamId: stream, block: 1, events: 2 ** 31 + 1, lastEventId: newer },
    ]);
    sources.addEvent('k', stream, 32 + 1, newest);
    expect(sources.of('k', null)).toEqual([
      { id: 'k', streamId: stream, block: 1, events: 2 ** 31 + 0b11, lastEventId: newest },
    ]);
    expect(sources.count).toBe(1);
  });

  it('are distinguished by model and stream', () => {
    const sources = new ModelSources();
    sources.addEvent('k', stream, 0, older);
    sources.addEvent('k', other, 0, newer);
    sources.addEvent('l', stream, 0, newest);
    expect(sources.count).toBe(3);
    expect(sources.of('k', null).map(({ streamId }) => streamId)).toEqual([stream, other]);
    expect(sources.of('m', null)).toEqual([]);
    expect(sources.modelsWith(stream)).toEqual(['k', 'l']);
    expect(sources.modelsWith(other)).toEqual(['k']);
    expect(sources.modelsWith(newId())).toEqual([]);
  });

  it('of a model after an event are those with a later one', () => {
    const sources = new ModelSources();
    sources.addEvent('k', stream, 0, older);
    sources.addEvent('k', stream, 32, newer);
    sources.addEvent('k', stream, 64, newest);
    expect(sources.of('k', newer).map(({ block }) => block)).toEqual([2]);
    expect(sources.of('k', older).map(({ block }) => block)).toEqual([1, 2]);
    expect(sources.of('k', newest)).toEqual([]);
  });
});
