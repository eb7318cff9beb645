/** Parses the instructions that our Dockerfile uses. An unknown instruction is an error, because it could not be executed. */

const known = new Set(['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'ENTRYPOINT']);

/** The stages in order, each with its instructions: `{ name, steps: [{ instruction, text }] }`. */
export function readDockerfile(text) {
  const stages = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    const [instruction, ...rest] = line.split(' ');
    if (!known.has(instruction)) throw new Error(`Unknown instruction ${instruction} in the Dockerfile.`);
    const argument = rest.join(' ');
    if (instruction === 'FROM') stages.push({ name: / AS (\S+)$/.exec(argument)?.[1] ?? null, steps: [] });
    else stages.at(-1).steps.push({ instruction, text: argument });
  }
  return stages;
}

/** The start configuration of a container of the last stage: `{ environment, user, entrypoint, workdir }`. */
export function containerOf(stages) {
  const { steps } = stages.at(-1);
  const last = (instruction) => steps.findLast((step) => step.instruction === instruction)?.text;
  const [uid, gid] = (last('USER') ?? '0:0').split(':').map(Number);
  return {
    environment: environmentOf(steps),
    user: { uid, gid: gid ?? uid },
    entrypoint: JSON.parse(last('ENTRYPOINT')),
    workdir: last('WORKDIR') ?? '/',
  };
}

/** `ENV A=1 B=2` as an object. */
export function environmentOf(steps) {
  const words = steps.filter(({ instruction }) => instruction === 'ENV').flatMap(({ text }) => text.split(' '));
  return Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
}

/** `COPY --from=build a b ./` as `{ from, sources, target }`. */
export function copyOf(text) {
  const words = text.split(' ');
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length) ?? null;
  const paths = words.filter((word) => !word.startsWith('--'));
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) };
}
