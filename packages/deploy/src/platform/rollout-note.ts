import type { Environment } from './environments.js';

/** The process that drives a rollout. */
export interface Controller {
  readonly host: string;
  readonly pid: number;
  /** Tells it from another process that got its number later. */
  readonly born?: string;
}

/** A canary that is under way, or was when its controller ended. */
export interface RolloutNote {
  readonly from: Environment;
  readonly to: Environment;
  readonly version: string | null;
  readonly stages: readonly number[];
  /** The index of the stage that was under way. The ones before it have passed. */
  readonly stage: number;
  readonly controller: Controller;
  /** When the controller was last seen, ISO 8601. */
  readonly seen: string;
}

export function parseNote(text: string): RolloutNote | null {
  try {
    const note = JSON.parse(text) as RolloutNote;
    return Array.isArray(note.stages) && Number.isInteger(note.stage) && note.from !== note.to ? note : null;
  } catch {
    return null;
  }
}
