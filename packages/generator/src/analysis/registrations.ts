import { ts } from './compiler.js';
import { lastName, scanOf } from './file-scan.js';

/** The receptors that a service registers itself, as far as the syntax of its sources shows it. */
export interface Registrations {
  /** Whether the project creates a service from its generated registry. A library of messages does not. */
  readonly createsService: boolean;
  /** The commands that are named in calls of `addReceptor`; null for an argument that is not a name. */
  readonly addedReceptors: ReadonlySet<string | null>;
}

export function registrationsIn(files: readonly ts.SourceFile[]): Registrations {
  const addedReceptors = new Set<string | null>();
  let createsService = false;
  for (const calls of files.map((file) => callsIn(file))) {
    createsService ||= calls.createsService;
    for (const name of calls.addedReceptors) addedReceptors.add(name);
  }
  return { createsService, addedReceptors };
}

const known = new WeakMap<ts.SourceFile, Registrations>();

function callsIn(file: ts.SourceFile): Registrations {
  let calls = known.get(file);
  if (calls === undefined) {
    calls = readCalls(file);
    known.set(file, calls);
  }
  return calls;
}

const none: Registrations = { createsService: false, addedReceptors: new Set() };

function readCalls(file: ts.SourceFile): Registrations {
  // Most files have neither call, and visiting every node takes time.
  if (!file.text.includes('createService') && !file.text.includes('addReceptor')) return none;
  const registries = registryNames(file);
  const originals = new Map(scanOf(file).renames.map(({ from, to }) => [to, from]));
  const addedReceptors = new Set<string | null>();
  let createsService = false;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = lastName(node.expression);
      const [argument] = node.arguments;
      const name = argument !== undefined && ts.isIdentifier(argument) ? argument.text : null;
      if (called === 'createService' && name !== null && registries.has(name)) createsService = true;
      if (called === 'addReceptor') addedReceptors.add(name === null ? null : (originals.get(name) ?? name));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { createsService, addedReceptors };
}

/** The names under which a file imports the generated registry. */
function registryNames(file: ts.SourceFile): ReadonlySet<string> {
  const links = scanOf(file).links.filter(({ specifier }) => /\/generated\/registry(?:\.[jt]s)?$/.test(specifier));
  return new Set(
    links.flatMap(({ names }) =>
      names === 'all' ? [] : names.filter(({ from }) => from === 'registry').map(({ to }) => to),
    ),
  );
}
