/** What packages export, found in their sources: entry points, names, declarations and their doc comments. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from '@babel/parser';

/** The entry points of all packages that have a library: `@svc/core`, `@svc/core/storage` and so on, each with its source file. */
export function entryPoints(root) {
  return readdirSync(join(root, 'packages'))
    .toSorted()
    .flatMap((folder) => {
      const { name, exports = {} } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
      return Object.entries(exports).map(([path, target]) => ({
        specifier: name + path.slice(1),
        file: join(root, 'packages', folder, sourceOf(target.default)),
      }));
    });
}

/** The source of a built file: `src` and `dist` have the same layout. */
function sourceOf(built) {
  return built.replace(/^\.\/dist\//, 'src/').replace(/\.js$/, '.ts');
}

/** The names that a module exports, each once, in the order of its source. */
export function exportedNames(file) {
  const names = exportStatements(file).flatMap(({ declaration, source, specifiers }) =>
    source === null && declaration !== null
      ? declaredIn(declaration).map((node) => node.id.name)
      : specifiers.map(({ exported }) => exported.name),
  );
  return [...new Set(names)];
}

/** What a module exports under a name: a value, a type, or both. */
export function declarationsOf(file, name) {
  return exportStatements(file).flatMap((statement) => {
    const { declaration, source, specifiers } = statement;
    if (source === null) {
      if (declaration === null) return localDeclarations(file, specifiers, name);
      return declaredIn(declaration)
        .filter((node) => node.id.name === name)
        .map((node) => described(file, node, declaration, statement));
    }
    return specifiers
      .filter(({ exported }) => exported.name === name)
      .flatMap(({ local }) => declarationsOf(moduleAt(file, source.value), local.name));
  });
}

/** What a module imports under a name from another file of its package. */
export function importedDeclarations(file, name) {
  return bodyOf(file)
    .filter(({ type, source }) => type === 'ImportDeclaration' && source.value.startsWith('.'))
    .flatMap(({ source, specifiers }) =>
      specifiers
        .filter(({ local }) => local.name === name)
        .flatMap(({ imported }) => declarationsOf(moduleAt(file, source.value), imported?.name ?? name)),
    );
}

function moduleAt(file, specifier) {
  if (specifier.startsWith('@svc/')) return entryPointAt(file, specifier);
  return join(dirname(file), specifier.replace(/\.js$/, '.ts'));
}

/** The source file of another package's entry point. */
function entryPointAt(file, specifier) {
  const root = file.slice(0, file.lastIndexOf('/packages/'));
  return entryPoints(root).find((entryPoint) => entryPoint.specifier === specifier).file;
}

const programs = new Map();

function bodyOf(file) {
  const known = programs.get(file);
  if (known !== undefined) return known;
  const source = readFileSync(file, 'utf8');
  const { body } = parse(source, { sourceType: 'module', plugins: ['typescript', 'decorators'] }).program;
  programs.set(file, body);
  return body;
}

function exportStatements(file) {
  return bodyOf(file).filter(({ type }) => type === 'ExportNamedDeclaration');
}

/** `export { a }` of something that the module declares itself. */
function localDeclarations(file, specifiers, name) {
  const found = specifiers.find(({ exported }) => exported.name === name);
  if (found === undefined) return [];
  return bodyOf(file)
    .filter((statement) => statement.type.endsWith('Declaration') && statement.type !== 'ImportDeclaration')
    .flatMap((statement) =>
      declaredIn(statement)
        .filter((node) => node.id?.name === found.local.name)
        .map((node) => described(file, node, statement, statement)),
    );
}

function declaredIn(declaration) {
  return declaration.type === 'VariableDeclaration' ? declaration.declarations : [declaration];
}

const kinds = {
  ClassDeclaration: 'class',
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  TSEnumDeclaration: 'enum',
  VariableDeclaration: 'constant',
};

function described(file, node, declaration, statement) {
  return { file, node, kind: kinds[declaration.type] ?? declaration.type, comment: docComment(statement) };
}

/** The doc comment in front of a statement, without its frame and its tags; '' where there is none. */
function docComment({ leadingComments = [] }) {
  const comment = leadingComments.findLast(({ type, value }) => type === 'CommentBlock' && value.startsWith('*'));
  if (comment === undefined) return '';
  const lines = comment.value.split('\n').map((line) => line.replace(/^\s*\*+ ?/, ''));
  const end = lines.findIndex((line) => line.startsWith('@'));
  return (end === -1 ? lines : lines.slice(0, end)).join(' ').trim();
}
