import type { Environment } from './environments.js';

/** A canary that is under way, or was when its controller ended. Whether somebody drives it is what a claim says. */
export interface RolloutNote {
  readonly from: Environment;
  readonly to: Environment;
  readonly version: string | null;
  readonly stages: readonly number[];
  /** The index of the stage that was under way. The ones before it have passed. */
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
