import { behindEverything, type PerspectiveStorage } from '../storage/index.js';

/**
 * A storage as the worker of one version sees it: of a perspective whose models are those of another version nothing is left to take, until
 * they are its own.
 */
export function ofOwnVersion(storage: PerspectiveStorage): PerspectiveStorage {
  if (storage.isKeptByOthers === undefined) return storage;
  const readProgress: PerspectiveStorage['readProgress'] = async (perspective) => {
    const progress = await storage.readProgress(perspective);
    if (!(await storage.isKeptByOthers!(perspective))) return progress;
    return { ...progress, sequence: behindEverything };
  };
  return new Proxy(storage, {
    get(target, name) {
      if (name === 'readProgress') return readProgress;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
