import { DeployError, loadConfig, versionPattern, type DeployConfig, type Environment } from '@svc/deploy';
import type { Call } from '../command-line/description.js';

export function configOf({ options }: Call): Promise<DeployConfig> {
  return loadConfig(options.defaulted('config'));
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `500ms`, `30s`, `5m`, `1h` in milliseconds. */
export function timeOf(text: string, option: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) {
    throw new DeployError('invalid', `--${option} must be a time such as 500ms, 30s or 5m, not "${text}".`);
  }
  return Number(amount) * units[unit]!;
}

/** `5%` or `0.05`. */
export function rateOf(text: string, option: string): number {
  const rate = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  if (text !== '' && rate >= 0 && rate < 1) return rate;
  throw new DeployError('invalid', `--${option} must be a rate such as 5% or 0.05, not "${text}".`);
}

export function countOf(text: string, option: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  throw new DeployError('invalid', `--${option} must be a whole number, not "${text}".`);
}

export function versionOf(text: string | undefined): string {
  if (text === undefined) throw new DeployError('invalid', 'No version given. Pass --version <v>.');
  if (versionPattern.test(text)) return text;
  throw new DeployError(
    'invalid',
    `Invalid version "${text}". A version consists of letters, digits, dots, dashes, pluses and underscores.`,
  );
}

export function environmentOf(text: string | undefined): Environment {
  if (text === 'blue' || text === 'green') return text;
  throw new DeployError('invalid', 'No environment given. Pass --environment blue or --environment green.');
}

/** The number in an option; undefined: it is not given. */
export function givenCount({ options }: Call, option: string): number | undefined {
  const text = options.text(option);
  return text === undefined ? undefined : countOf(text, option);
}
