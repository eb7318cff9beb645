import { figure } from './operations/progress-meter.js';

/** A number with its noun: `1 event`, `2,000 events`. */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${figure(number)} ${number === 1 ? noun : plural}`;
}
