import { ok, problem, warning, type Finding } from './finding.js';

const check = 'node';
const oldest = [20, 19] as const;

export function checkNode(version: string): readonly Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major < oldest[0] || (major === oldest[0] && minor < oldest[1]))
    return [problem(check, `Node ${version} is too old.`, `Install Node ${oldest.join('.')} or later.`)];
  if (major % 2 === 1)
    return [
      warning(check, `Node ${version} is not a long-term release.`, 'Use an even major version, such as 22 or 24.'),
    ];
  return [ok(check, `Node ${version}`)];
}
