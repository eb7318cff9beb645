/** Numbers, times and durations as text. */

const numbers = new Intl.NumberFormat('en');
const times = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
});
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

export const formatted = {
  number: (value: number): string => numbers.format(value),

  /** `2.4`, `17`, `1,204`: more digits would change with every measurement. */
  rate: (value: number): string =>
    value < 10 ? (Math.round(value * 10) / 10).toString() : numbers.format(Math.round(value)),

  /** In the time zone of the browser, to the millisecond. */
  time: (iso: string): string => {
    const at = new Date(iso);
    return `${times.format(at)}.${String(at.getMilliseconds()).padStart(3, '0')}`;
  },

  ago: (iso: string): string => {
    const passed = new Date(iso).getTime() - Date.now();
    const [unit, length] = units.find(([, ms]) => Math.abs(passed) >= ms) ?? ['second', 1_000];
    return relative.format(Math.round(passed / length), unit);
  },

  duration: (ms: number): string => {
    if (ms < 1_000) return `${Math.round(ms)} ms`;
    if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
    if (ms < 3_600_000) return `${Math.round(ms / 6_000) / 10} min`;
    return `${Math.round(ms / 360_000) / 10} h`;
  },

  bytes: (count: number): string => {
    if (count < 1_000) return `${count} B`;
    if (count < 1_000_000) return `${Math.round(count / 100) / 10} kB`;
    return `${Math.round(count / 100_000) / 10} MB`;
  },

  count: (value: number, one: string, many = `${one}s`): string =>
    `${numbers.format(value)} ${value === 1 ? one : many}`,
};
