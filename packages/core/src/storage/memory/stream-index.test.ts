import { describe, expect, it } from 'vitest';
import type { Uuid } from '../../json/index.js';
import { newId } from '../../messages/index.js';
import { StreamIndex } from './stream-index.js';

describe('the index of streams', () => {
  it('tells hundreds of thousands apart, some of which have the same hash', () => {
    const streams = Array.from({ length: 300_000 }, () => newId());
    const index = new StreamIndex((place) => streams[place]!);
    const positions = streams.map((streamId, place) => index.add(streamId, place));

    expect(positions.every((position) => position === 0)).toBe(true);
    expect(streams.every((streamId, place) => index.placeOf(streamId, 0) === place)).toBe(true);
    expect(streams.every((streamId) => index.count(streamId) === 1)).toBe(true);
    expect(index.count(newId())).toBe(0);
    expect(index.placeOf(newId(), 0)).toBeUndefined();
  });

  it('has the events of each stream in their order', () => {
    const streams = Array.from({ length: 700 }, () => newId());
    const log: Uuid[] = [];
    const index = new StreamIndex((place) => log[place]!);
    for (let position = 0; position < 5; position++) {
      for (const streamId of streams) {
        expect(index.add(streamId, log.length)).toBe(position);
        log.push(streamId);
      }
    }
    streams.forEach((streamId, i) => {
      expect(index.count(streamId)).toBe(5);
      const places = [0, 1, 2, 3, 4, 5].map((position) => index.placeOf(streamId, position));
      expect(places).toEqual([i, 700 + i, 1_400 + i, 2_100 + i, 2_800 + i, undefined]);
    });
  });
});
