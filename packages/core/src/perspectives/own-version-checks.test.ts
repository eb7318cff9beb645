import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  around,
  InMemoryPerspectives,
  PerspectiveDefinedOtherwiseError,
  type ModelTables,
  type PerspectiveStorage,
  type StoredModel,
} from '../storage/index.js';
import { checkEveryMs, noticedWithinMs, ofOwnVersion } from './own-version.js';
import { turn } from './testing/turns.js';

const serving: ModelTables = { perspective: 'Orders', role: 'serving', name: 'Orders' };
const retained: ModelTables = { perspective: 'Orders', role: 'retained', name: 'Orders.1' };
const other: ModelTables = { perspective: 'Orders', role: 'rebuilding', name: 'Orders.2' };

interface Check {
  readonly perspective: string;
  readonly resolve: (place: ModelTables | null) => void;
  readonly reject: (error: unknown) => void;
}

/** The checks that were started, which the tests answer. */
let checks: Check[];
/** The tables that models were read from. */
let read: string[];
/** Runs at each read. */
let onRead: (tables: ModelTables) => void;
let readers: PerspectiveStorage;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  [checks, read, onRead] = [[], [], () => {}];
  const storage = around<PerspectiveStorage>(new InMemoryPerspectives(), {
    ownPlace: (perspective) => new Promise((resolve, reject) => void checks.push({ perspective, resolve, reject })),
    async readModels(tables): Promise<readonly StoredModel[]> {
      const { name } = tables as ModelTables;
      read.push(name);
      onRead(tables as ModelTables);
      return [];
    },
  });
  ({ readers } = ofOwnVersion(storage));
});
afterEach(() => void vi.useRealTimers());

const readModels = (perspective: string | ModelTables = 'Orders'): Promise<unknown> =>
  readers.readModels(perspective, []);

/** Reads, and answers the check that the read waits for. */
async function readAt(place: ModelTables | null): Promise<void> {
  const reading = readModels();
  checks.at(-1)!.resolve(place);
  await reading;
}

describe('the tables of the version of a host', () => {
  it('are checked once by concurrent reads, which wait for the result', async () => {
    const reading = [readModels(), readModels()];
    await turn();
    expect([checks.length, read]).toEqual([1, []]);
    checks[0]!.resolve(retained);
    await Promise.all(reading);
    expect(read).toEqual(['Orders.1', 'Orders.1']);
  });

  it('are checked for each perspective', async () => {
    await readAt(retained);
    const reading = readModels('Others');
    expect(checks.map(({ perspective }) => perspective)).toEqual(['Orders', 'Others']);
    checks[1]!.resolve(null);
    await reading;
    expect(read).toEqual(['Orders.1', 'Others']);
  });

  it('are not checked again within a second', async () => {
    await readAt(retained);
    vi.advanceTimersByTime(checkEveryMs - 1);
    await readModels();
    expect([checks.length, read]).toEqual([1, ['Orders.1', 'Orders.1']]);
  });

  it('are not checked again within a second if there are none', async () => {
    await readAt(null);
    await readModels();
    expect([checks.length, read]).toEqual([1, ['Orders', 'Orders']]);
  });

  it('are checked in the background after a second, and no read waits for it', async () => {
    await readAt(retained);
    vi.advanceTimersByTime(checkEveryMs);
    await readModels();
    await readModels();
    expect(checks).toHaveLength(2);
    checks[1]!.resolve(serving);
    await turn();
    await readModels();
    expect([checks.length, read]).toEqual([2, ['Orders.1', 'Orders.1', 'Orders.1', 'Orders']]);
  });

  it('are as old as the start of their check', async () => {
    const reading = readModels();
    vi.advanceTimersByTime(checkEveryMs);
    checks[0]!.resolve(retained);
    await reading;
    await readModels();
    expect(checks).toHaveLength(2);
  });

  it('are used for less than two seconds without another check', async () => {
    await readAt(retained);
    vi.advanceTimersByTime(noticedWithinMs - 1);
    await readModels();
    expect(read).toHaveLength(2);
    vi.advanceTimersByTime(1);
    const reading = readModels();
    await turn();
    expect(read).toHaveLength(2);
    checks[1]!.resolve(serving);
    await reading;
    expect([checks.length, read.at(-1)]).toEqual([2, 'Orders']);
  });

  it('are still used after a check in the background has failed, and checked by the next read', async () => {
    await readAt(retained);
    vi.advanceTimersByTime(checkEveryMs);
    await readModels();
    checks[1]!.reject(new Error('down'));
    await turn();
    await readModels();
    expect([checks.length, read.at(-1)]).toEqual([3, 'Orders.1']);
  });

  it('cannot be read while they are unknown and a check fails, but the next read checks again', async () => {
    const reading = readModels();
    checks[0]!.reject(new Error('down'));
    await expect(reading).rejects.toThrow('down');
    await readAt(retained);
    expect([checks.length, read]).toEqual([2, ['Orders.1']]);
  });

  it('are not checked for tables with another role', async () => {
    onRead = () => {
      throw new PerspectiveDefinedOtherwiseError('Orders');
    };
    await expect(readModels(other)).rejects.toThrow(PerspectiveDefinedOtherwiseError);
    expect([checks.length, read]).toEqual([0, ['Orders.2']]);
  });
});

describe('a read of tables that were replaced', () => {
  beforeEach(async () => {
    await readAt(serving);
    onRead = ({ role }) => {
      if (role === 'serving') throw new PerspectiveDefinedOtherwiseError('Orders');
    };
    read = [];
  });

  it('is repeated with the tables that are found then', async () => {
    const reading = readModels();
    await turn();
    checks[1]!.resolve(retained);
    expect(await reading).toEqual([]);
    expect(read).toEqual(['Orders', 'Orders.1']);
    await readModels();
    expect([checks.length, read.at(-1)]).toEqual([2, 'Orders.1']);
  });

  it('is repeated once', async () => {
    const reading = readModels();
    await turn();
    checks[1]!.resolve(serving);
    await expect(reading).rejects.toThrow(PerspectiveDefinedOtherwiseError);
    expect(read).toEqual(['Orders', 'Orders']);
  });

  it('is not repeated after another failure', async () => {
    onRead = () => {
      throw new Error('down');
    };
    await expect(readModels()).rejects.toThrow('down');
    expect([checks.length, read]).toEqual([1, ['Orders']]);
  });

  it('does not use the result of a check that began before', async () => {
    vi.advanceTimersByTime(checkEveryMs);
    onRead = () => {};
    await readModels();
    expect(checks).toHaveLength(2);
    onRead = ({ role }) => {
      if (role === 'serving') throw new PerspectiveDefinedOtherwiseError('Orders');
    };
    const first = readModels();
    await turn();
    expect(checks).toHaveLength(3);
    checks[1]!.resolve(serving);
    await turn();
    // It neither counts as the result nor ends the check that is under way.
    const second = readModels();
    await turn();
    expect(checks).toHaveLength(3);
    checks[2]!.resolve(retained);
    await Promise.all([first, second]);
    expect(read.slice(-2)).toEqual(['Orders.1', 'Orders.1']);
  });
});
