import { watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';
import {
  ErrorCode,
  OpenFeatureEventEmitter,
  ProviderEvents,
  StandardResolutionReasons,
  type JsonValue,
  type Provider,
  type ResolutionDetails,
} from '@openfeature/server-sdk';
import { readFlagFile, type FlagDefinition, type FlagDefinitions } from './flag-file.js';

/** Editors write in several steps: the file is read once no change follows within this time. */
const settleMs = 50;
/** Some file systems send no notifications, so the file is also polled. */
const lookAgainMs = 5000;

/**
 * Flags from a JSON file, which is read again when it changes. An invalid file leaves the flags unchanged, so that an editing mistake
 * neither releases nor withdraws a feature.
 */
export class FileFlagProvider implements Provider {
  readonly metadata = { name: 'svc file' } as const;
  readonly runsOn = 'server';
  readonly events = new OpenFeatureEventEmitter();
  readonly #path: string;
  #flags: FlagDefinitions = new Map();
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #settle: NodeJS.Timeout | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async initialize(): Promise<void> {
    this.#flags = await readFlagFile(this.#path);
    // The folder instead of the file: editors and clusters replace the file.
    this.#watcher = watch(dirname(this.#path), (_event, name) => {
      if (name === null || name === basename(this.#path) || name.startsWith('..')) this.#soon();
    });
    // Without notifications, polling still detects changes.
    this.#watcher.on('error', () => {});
    this.#watcher.unref();
    this.#timer = setInterval(() => void this.#reload(), lookAgainMs).unref();
  }

  onClose(): Promise<void> {
    this.#watcher?.close();
    clearInterval(this.#timer);
    clearTimeout(this.#settle);
    return Promise.resolve();
  }

  resolveBooleanEvaluation(flag: string, fallback: boolean): Promise<ResolutionDetails<boolean>> {
    return this.#resolve(flag, fallback, (value) => typeof value === 'boolean');
  }

  resolveStringEvaluation(flag: string, fallback: string): Promise<ResolutionDetails<string>> {
    return this.#resolve(flag, fallback, (value) => typeof value === 'string');
  }

  resolveNumberEvaluation(flag: string, fallback: number): Promise<ResolutionDetails<number>> {
    return this.#resolve(flag, fallback, (value) => typeof value === 'number');
  }

  resolveObjectEvaluation<T extends JsonValue>(flag: string, fallback: T): Promise<ResolutionDetails<T>> {
    return this.#resolve(flag, fallback, (value) => typeof value === 'object');
  }

  #resolve<T>(flag: string, fallback: T, isRight: (value: unknown) => boolean): Promise<ResolutionDetails<T>> {
    return Promise.resolve(resolution(this.#flags.get(flag), fallback, isRight));
  }

  #soon(): void {
    clearTimeout(this.#settle);
    this.#settle = setTimeout(() => void this.#reload(), settleMs).unref();
  }

  async #reload(): Promise<void> {
    try {
      const flags = await readFlagFile(this.#path);
      const flagsChanged = changedBetween(this.#flags, flags);
      this.#flags = flags;
      if (flagsChanged.length > 0) this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.events.emit(ProviderEvents.Stale, { message });
    }
  }
}

function resolution<T>(
  flag: FlagDefinition | undefined,
  fallback: T,
  isRight: (value: unknown) => boolean,
): ResolutionDetails<T> {
  if (flag === undefined)
    return { value: fallback, reason: StandardResolutionReasons.ERROR, errorCode: ErrorCode.FLAG_NOT_FOUND };
  if (flag.state === 'DISABLED') return { value: fallback, reason: StandardResolutionReasons.DISABLED };
  const value = flag.variants[flag.defaultVariant];
  if (!isRight(value)) {
    return { value: fallback, reason: StandardResolutionReasons.ERROR, errorCode: ErrorCode.TYPE_MISMATCH };
  }
  return { value: value as T, variant: flag.defaultVariant, reason: StandardResolutionReasons.STATIC };
}

function changedBetween(before: FlagDefinitions, after: FlagDefinitions): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => JSON.stringify(before.get(name)) !== JSON.stringify(after.get(name)));
}
