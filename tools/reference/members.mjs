/** The members of exported interfaces and classes: names, types, defaults and doc comments, from their sources. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarationsOf, entryPoints, exportedNames } from '../api/exports.mjs';

/** A declaration by its entry point, or by its file if no package exports it: `@svc/postgres`, `PostgresOptions`. */
export function declared(root, place, name) {
  const entry = entryPoints(root).find(({ specifier }) => specifier === place);
  const found = declarationsOf(entry?.file ?? join(root, place), name);
  if (found.length === 0) throw new Error(`${place} does not export ${name}.`);
  return found.find(({ kind }) => kind !== 'constant') ?? found[0];
}

/** The names of options that packages export, each once, with an entry point that has it. */
export function exportedOptions(root) {
  const seen = new Map();
  for (const { specifier, file } of entryPoints(root)) {
    for (const name of exportedNames(file).filter((known) => /(?:Options|Settings|Config|Limits)$/.test(known))) {
      const declaration = declarationsOf(file, name).find(({ node }) => propertiesOf(node).length > 0);
      if (declaration !== undefined && !seen.has(name)) seen.set(name, specifier);
    }
  }
  return [...seen].map(([name, specifier]) => ({ name, specifier }));
}

/** The properties of an interface, or of a type that is an intersection with an object type. */
export function propertiesOf(node) {
  if (node.type === 'TSInterfaceDeclaration') return node.body.body;
  if (node.type !== 'TSTypeAliasDeclaration') return [];
  return membersOfType(node.typeAnnotation);
}

function membersOfType(type) {
  switch (type.type) {
    case 'TSTypeLiteral':
      return type.members;
    case 'TSParenthesizedType':
      return membersOfType(type.typeAnnotation);
    case 'TSIntersectionType':
    case 'TSUnionType':
      return type.types.flatMap(membersOfType);
    default:
      return [];
  }
}

/** The text of a node in its file. */
export function textOf(file, node) {
  return readFileSync(file, 'utf8').slice(node.start, node.end).replaceAll(/\s+/g, ' ');
}

/** The doc comment of a member; '' without one. */
export function commentOf({ leadingComments = [] }) {
  const comment = leadingComments.findLast(({ type, value }) => type === 'CommentBlock' && value.startsWith('*'));
  if (comment === undefined) return '';
  return comment.value
    .split('\n')
    .map((line) => line.replace(/^\s*\*+ ?/, ''))
    .join(' ')
    .trim();
}

/** Divides a comment: the meaning, and what follows `Default:` up to the end of its sentence. */
export function divided(comment) {
  const [, before, value, after] = /^(.*?)\bDefault: (.+?)\.(?= |$)(.*)$/s.exec(comment) ?? [null, comment, null, ''];
  return { meaning: `${before.trim()}${after}`.trim(), byDefault: value };
}
