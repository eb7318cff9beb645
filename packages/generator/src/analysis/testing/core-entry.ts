/** A small entry of core for fixtures: a program with all of core takes five times as long to create. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The sources of core, so that tests need no build. */
const index = fileURLToPath(new URL('../../../../core/src/index.ts', import.meta.url));

/** What fixtures import, and what the generator recognizes. */
const values =
  'commandEndpoint EventAudited lenient newId perspective process reaction recurring snapshot storedAs'.split(' ');
const types =
  `Command CommandReturning Decider Decimal Dispatcher Event Format Int Issue Max MaxItems MaxLength Min MinItems MinLength
  Pattern Personal Perspective PipelineBehavior Process Reaction Receptor ReceptorContext Secret SystemEvent SystemEventEmitter Uuid`.split(
    /\s+/,
  );

/** The generator recognizes it by its name alone. */
const unread = ['createService'];

/** Everything of core that a message may use, in one line. */
export const imports = `import { ${[...values, ...types.map((name) => `type ${name}`)].join(', ')} } from "@svc/core";\n`;

/** Writes the entry into a folder and returns its path. */
export function writeCoreEntry(folder: string): string {
  const exported = [...values, ...types].map(
    (name) => `export { ${name} } from ${JSON.stringify(declaringFile(name))};\n`,
  );
  const file = join(folder, 'core.ts');
  mkdirSync(folder, { recursive: true });
  // Other processes may read it.
  writeFileSync(`${file}.${process.pid}`, exported.join(''));
  renameSync(`${file}.${process.pid}`, file);
  return file;
}

/** A fixture with an export that the entry lacks would be analyzed without it. */
export function requireInEntry(source: string): void {
  for (const [, names = ''] of source.matchAll(/import (?:type )?\{([^}]*)\} from ['"]@svc\/core['"]/g)) {
    for (const name of names.split(',').map((text) => text.trim().replace(/^type | as .*$/g, ''))) {
      if (name === '' || [...values, ...types, ...unread].includes(name)) continue;
      if (declarationOf(name, index) !== undefined)
        throw new Error(`Add "${name}" to the entry of core in core-entry.ts.`);
    }
  }
}

function declaringFile(name: string): string {
  const file = declarationOf(name, index);
  if (file === undefined) throw new Error(`Core does not export "${name}".`);
  return file.replace(/\.ts$/, '.js');
}

/** Follows the exports of index files. */
function declarationOf(name: string, file: string): string | undefined {
  const text = readFileSync(file, 'utf8');
  const names = new RegExp(String.raw`\b${name}\b`);
  for (const [, exported = '', from = ''] of text.matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '([^']+)'/gm)) {
    if (exported !== '*' && !names.test(exported)) continue;
    const found = declarationOf(name, join(dirname(file), from.replace(/\.js$/, '.ts')));
    if (found !== undefined) return found;
  }
  const declared = new RegExp(
    String.raw`^export (?:declare |abstract |async )*(?:class|const|function|interface|type) ${name}\b`,
    'm',
  );
  return declared.test(text) ? file : undefined;
}
