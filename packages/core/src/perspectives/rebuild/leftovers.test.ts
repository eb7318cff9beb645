import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../errors/index.js';
import {
  InMemoryPerspectives,
  newTables,
  PerspectiveDefinedOtherwiseError,
  StorageUnavailableError,
  type ModelTables,
} from '../../storage/index.js';
import { commitChanges } from '../testing/trial-commits.js';
import { isInterruption, removeLeftovers, tablesToFill } from './leftovers.js';

let perspectives: InMemoryPerspectives;
beforeEach(() => void (perspectives = new InMemoryPerspectives()));

describe('the tables of a rebuild', () => {
  const tablesAt = async (sequence: number): Promise<ModelTables> => {
    const tables = newTables('Notes', 'rebuilding');
    await commitChanges(perspectives, 'Notes', { tables, to: sequence });
    return tables;
  };
  const left = async () => (await perspectives.readRebuilding('Notes')).map(({ tables }) => tables);

  it('are those of an interrupted one that is furthest, and all others are removed', async () => {
    const [, second] = [await tablesAt(3), await tablesAt(9), await tablesAt(5)];
    expect(await tablesToFill('Notes', true, perspectives)).toEqual(second);
    expect(await left()).toEqual([second]);
    const fresh = await tablesToFill('Notes', false, perspectives);
    expect(fresh).toMatchObject({ perspective: 'Notes', role: 'rebuilding' });
    expect(fresh.name).not.toBe(second.name);
    expect(await left()).toEqual([]);
  });

  it('are new if the others belong to another version, and cannot be filled by that version', async () => {
    const tables = await tablesAt(3);
    vi.spyOn(perspectives, 'readRebuilding').mockResolvedValue([{ tables, sequence: 3, isAlike: false }]);
    expect((await tablesToFill('Notes', true, perspectives)).name).not.toBe(tables.name);
    vi.spyOn(perspectives, 'ownPlace').mockResolvedValue({ perspective: 'Notes', role: 'retained', name: 'x' });
    await expect(tablesToFill('Notes', true, perspectives)).rejects.toThrow(PerspectiveDefinedOtherwiseError);
  });

  it('of another version are removed, unless another host fills them', async () => {
    const [old, current] = [await tablesAt(3), await tablesAt(4)];
    const readRebuilding = vi.spyOn(perspectives, 'readRebuilding').mockResolvedValue([
      { tables: old, sequence: 3, isAlike: false },
      { tables: current, sequence: 4, isAlike: true },
    ]);
    const remove = vi.spyOn(perspectives, 'removeTables');
    await removeLeftovers('Notes', perspectives, () => Promise.resolve(false));
    expect(remove).not.toHaveBeenCalled();
    await removeLeftovers('Notes', perspectives, () => Promise.resolve(true));
    expect(remove.mock.calls).toEqual([[old]]);
    readRebuilding.mockResolvedValue([{ tables: current, sequence: 4, isAlike: true }]);
    const mayTouch = vi.fn<() => Promise<boolean>>(() => Promise.resolve(true));
    await removeLeftovers('Notes', perspectives, mayTouch);
    expect(mayTouch).not.toHaveBeenCalled();
  });

  it('remain after an interruption from outside', () => {
    const errors = ['SVC_SERVICE_STOPPING', 'SVC_OPERATION_TAKEN_OVER', 'SVC_INVALID_VALUE'] as const;
    expect(errors.map((code) => isInterruption(new ServiceError(code, 'x')))).toEqual([true, true, false]);
    expect(isInterruption(new StorageUnavailableError('none', new Error('down')))).toBe(true);
    expect(isInterruption(Object.assign(new Error('x'), { code: 'SVC_SERVICE_STOPPING' }))).toBe(false);
  });
});
