/** Errors, command line texts, problem texts and public doc comments use the terms of docs/reference/glossary.md. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { declarationsOf, entryPoints, exportedNames } from '../../tools/api/exports.mjs';
import { childrenOf, parseTypeScript, type SyntaxNode } from '../syntax.js';
import { findRejected } from './find-rejected.js';
import { proseOf } from './prose.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

it.each(entryPoints(root))('$specifier has no rejected word in its doc comments', ({ file }) => {
  const found = exportedNames(file).flatMap((name) =>
    declarationsOf(file, name).flatMap((declaration) =>
      findRejected(proseOf(declaration.comment)).map(
        ({ word, instead }) => `${relative(root, declaration.file)}: ${name}: "${word}", say: ${instead}`,
      ),
    ),
  );
  expect([...new Set(found)]).toEqual([]);
});

const packages = [...new Set(sources().map((file) => file.split('/')[1]!))];

it.each(packages)('%s has no rejected word in its texts', (name) => {
  const found = sources()
    .filter((file) => file.startsWith(`packages/${name}/`))
    .flatMap((file) =>
      textsOf(file).flatMap((text) =>
        findRejected(text).map(({ word, instead }) => `${file}: "${word}" in "${text.trim()}", say: ${instead}`),
      ),
    );
  expect(found).toEqual([]);
});

it('reads strings and templates, and leaves out SQL, names and code', () => {
  const source =
    "throw new Error(`Somebody took ${x}.`); log('kept', 'SELECT kept FROM a WHERE b', 'It is kept here.');";
  expect(textsIn(parseTypeScript(source))).toEqual(['Somebody took … .', 'It is kept here.']);
});

function sources(): readonly string[] {
  return execFileSync(
    'git',
    ['ls-files', '-co', '--exclude-standard', 'packages/*/src/*.ts', 'packages/*/src/**/*.ts'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
    .split('\n')
    .filter((file) => file !== '' && !/\.test\.ts$|\/testing\/|\/generated\//.test(file));
}

function textsOf(file: string): readonly string[] {
  return textsIn(parseTypeScript(readFileSync(`${root}${file}`, 'utf8')));
}

/** Texts of three words or more, which is what people read. */
function textsIn(node: SyntaxNode): readonly string[] {
  const own = ownText(node);
  const texts = own !== null && own.split(' ').length > 2 && !isSql.test(own) ? [own] : [];
  return node.type === 'TSLiteralType' ? [] : [...texts, ...childrenOf(node).flatMap(textsIn)];
}

function ownText(node: SyntaxNode): string | null {
  if (node.type === 'StringLiteral') return String(node['value']);
  if (node.type !== 'TemplateLiteral') return null;
  const quasis = node['quasis'] as readonly { readonly value: { readonly cooked: string } }[];
  return quasis.map(({ value }) => value.cooked).join('… ');
}

const isSql = /\b(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|WITH|FROM|WHERE|JOIN)\b/;
