import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { copyOf, environmentOf } from './dockerfile.mjs';

/**
 * Executes the stages of a Dockerfile without an engine: each stage is a folder, and RUN runs on this machine, which replaces the
 * base image. Returns the folder of the last stage.
 */
export function buildStages(stages, { context, into }) {
  const folders = new Map();
  let folder = '';
  for (const [index, { name, steps }] of stages.entries()) {
    folder = join(into, name ?? `stage-${index}`);
    folders.set(name, folder);
    let workdir = folder;
    for (const { instruction, text } of steps) {
      if (instruction === 'WORKDIR') {
        workdir = join(folder, text);
        mkdirSync(workdir, { recursive: true });
      } else if (instruction === 'COPY') copy(copyOf(text), { context, folders, workdir });
      else if (instruction === 'RUN') run(text, workdir, environmentOf(steps));
    }
  }
  return folder;
}

function copy({ from, sources, target }, { context, folders, workdir }) {
  const isIgnored = from === null ? ignoredBy(context) : () => false;
  for (const source of sources.flatMap((each) => matching(each, context))) {
    const path = from === null ? join(context, source) : join(folders.get(from), source);
    const isContents = source === '.' || (sources.length === 1 && target !== './');
    const to = isContents ? join(workdir, target) : join(workdir, target, basename(source));
    cpSync(path, to, { recursive: true, filter: (each) => !isIgnored(each) });
  }
}

/** `.npmrc*`: the files of the context whose names start like this; as in an engine, there may be none. */
function matching(source, context) {
  if (!source.endsWith('*')) return [source];
  return readdirSync(context).filter((name) => name.startsWith(source.slice(0, -1)));
}

/** Applies `.dockerignore` as far as ours needs it: names in the folder itself. */
function ignoredBy(context) {
  const file = join(context, '.dockerignore');
  const names = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const paths = new Set(names.map((name) => join(context, name)));
  return (path) => paths.has(path);
}

function run(command, cwd, environment) {
  console.log(`RUN ${command}`);
  const env = { ...process.env, ...environment };
  const { status } = spawnSync('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`"${command}" exited with ${status}.`);
}
