/** The diagrams of docs/architecture.md that show a path through the code, and the paths that the code really takes. */

export interface Diagram {
  /** The source file that each node names, by the node. */
  readonly files: ReadonlyMap<string, string>;
  /** One file calls the other, directly or through files that the diagram leaves out. */
  readonly calls: readonly (readonly [caller: string, called: string])[];
}

/** A Mermaid flowchart: `node["file.ts<br/>what it does"]`, `a --> b` for a call, `a -.-> b` for what goes through the database. */
export function diagramUnder(page: string, heading: string): Diagram {
  const start = page.indexOf(`\n${heading}\n`);
  const block = /```mermaid\n([^]*?)```/.exec(page.slice(start))?.[1];
  if (start === -1 || block === undefined) throw new Error(`docs/architecture.md has no diagram under "${heading}".`);
  const files = new Map([...block.matchAll(/^ *(\w+)\["([\w/.-]+\.ts)/gm)].map(([, node, file]) => [node!, file!]));
  const arrows = [...block.matchAll(/(\w+)(?:\(\[.*\]\))? -->(?:\|[^|]*\|)? (\w+)$/gm)];
  // Your own code and the database are nodes without a file.
  const calls = arrows.flatMap(([, from, to]) => {
    const [caller, called] = [files.get(from!), files.get(to!)];
    return caller === undefined || called === undefined ? [] : [[caller, called] as const];
  });
  return { files, calls };
}

/** The source files on the stack, from the outermost on. Awaiting functions are on it, too. */
export function filesOnStack(): readonly string[] {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const { stack = '' } = new Error('where');
  Error.stackTraceLimit = limit;
  return [...stack.matchAll(/\/packages\/(\w+)\/src\/([\w/.-]+\.ts):\d+/g)]
    .map(([, name, file]) => (name === 'core' ? file! : `${name}/${file}`))
    .toReversed();
}

/** What the diagram says and no stack shows. */
export function missingCalls({ files, calls }: Diagram, stacks: readonly (readonly string[])[]): readonly string[] {
  const isShown = ([caller, called]: readonly [string, string]): boolean =>
    stacks.some((stack) => stack.includes(caller) && stack.lastIndexOf(called) > stack.indexOf(caller));
  return [
    ...[...files.values()].filter((file) => !stacks.some((stack) => stack.includes(file))),
    ...calls.filter((call) => !isShown(call)).map(([caller, called]) => `${caller} --> ${called}`),
  ];
}
