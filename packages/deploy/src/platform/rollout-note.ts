import type { Environment } from './environments.js';

/** An unfinished canary. A claim shows whether a controller is running it. */
export interface RolloutNote {
  readonly from: Environment;
  readonly to: Environment;
  readonly version: string | null;
  readonly stages: readonly number[];
  /** The index of the current stage. The previous stages have passed. */
  readonly stage: number;
}

export function parseNote(text: string): RolloutNote | null {
  try {
    const note = JSON.parse(text) as RolloutNote;
    return Array.isArray(note.stages) && Number.isInteger(note.stage) && note.from !== note.to ? note : null;
  } catch {
    return null;
  }
}
