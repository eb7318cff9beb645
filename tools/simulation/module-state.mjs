/**
 * The variables of modules. All simulated processes run the same copy of the program, because code that is compiled once runs several times as
 * fast. So each process has its own values of these variables, which are exchanged when another process runs.
 */
const variable = /^let (\w+)(?:: [^=\n]+)?(?: = ([^\n]+))?;$/gm;
/** A constant whose content changes. */
const container =
  /^const (?=\w+(?:: [^=\n]+)? = (?:new (?:Map|Set|WeakMap)(?:<[^\n]*>)?\(\)|new Uint8Array\([^\n]*\)|Buffer\.alloc\([^\n]*\));$)/gm;

/** Adds functions to the text of a module that create, read and set its variables: an entry in `moduleStates`. */
export function withState(module) {
  const text = module.replace(container, 'let ');
  const variables = [...text.matchAll(variable)];
  if (variables.length !== (text.match(/^(?:export )?let /gm)?.length ?? 0)) throw new Error(unknown(text));
  if (variables.length === 0) return text;
  const values = variables.map(([, , value = 'undefined']) => value).join(', ');
  const reads = variables.map(([, name], i) => `values[${i}] = ${name};`).join(' ');
  const writes = variables.map(([, name], i) => `${name} = values[${i}];`).join(' ');
  return `${text}
moduleStates.push({
  create: () => [${values}],
  read: (values) => { ${reads} },
  write: (values) => { ${writes} },
});
`;
}

function unknown(text) {
  return `A variable of this module cannot be exchanged between processes. Write it on one line, and do not export it.\n${text}`;
}

/** The values of all module variables in one process. */
export class ModuleState {
  #modules;
  #values;

  constructor(modules) {
    this.#modules = modules;
    this.#values = modules.map(({ create }) => create());
  }

  /** Called when another process runs next. */
  leave() {
    for (let i = 0; i < this.#modules.length; i++) this.#modules[i].read(this.#values[i]);
  }

  enter() {
    for (let i = 0; i < this.#modules.length; i++) this.#modules[i].write(this.#values[i]);
  }
}
