import type { DocumentsModel, OperationModel, ServiceModel, TypeModel } from '../../model/index.js';
import { header, quoted } from '../source-file.js';
import { TypeIndex } from '../type-index.js';
import { ClientNames } from './client-names.js';
import { ClientReaders } from './client-readers.js';
import { DeclaredTypes } from './declared-types.js';

/** What the module declares or imports. */
const ownNames = [
  'Decimal',
  'graphql',
  'MutationDocument',
  'QueryDocument',
  'SubscriptionDocument',
  'Texts',
  'texts',
  'Uuid',
];

/** The module with the typed documents of a caller. It imports types only, so that it runs wherever the client runs. */
export function emitDocuments(service: ServiceModel, documents: DocumentsModel): string {
  const names = new ClientNames(ownNames);
  const constants = new Map(documents.operations.map(({ name }) => [name, names.unique(name, 'Document')]));
  const types = [...service.types, ...documents.types];
  const index = TypeIndex.of(types);
  const sent = documents.operations.flatMap(({ variables }) => (variables === null ? [] : [variables]));
  const returned = [...documents.operations.map(({ result }) => result), ...documents.fragments];
  const declared = new DeclaredTypes(names, index, types, { sent, returned });
  const readers = new ClientReaders(names, index);
  const operations = documents.operations.map((operation) =>
    constant(operation, constants.get(operation.name)!, declared, readers.of(operation.result)),
  );
  const parts = [
    `${header}\n/* eslint-disable */\n// GraphQL documents of a caller of the service ${service.namespace}.`,
    ...imports(service, documents, [...sent, ...returned], index),
    ...operations,
    graphQLFunction(documents, constants),
    ...declared.declarations(),
    ...readers.declarations,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A module must have no import that it does not use. */
function imports(
  { namespace }: ServiceModel,
  { operations }: DocumentsModel,
  roots: readonly TypeModel[],
  index: TypeIndex,
): string[] {
  const used = [
    ...(roots.some((type) => index.hasDecimals(type)) ? ['Decimal'] : []),
    ...(operations.some(({ kind }) => kind === 'mutation') ? ['MutationDocument'] : []),
    ...(operations.some(({ kind }) => kind === 'query') ? ['QueryDocument'] : []),
    ...(operations.some(({ kind }) => kind === 'subscription') ? ['SubscriptionDocument'] : []),
    ...(roots.some((type) => index.hasUuids(type)) ? ['Uuid'] : []),
  ];
  return used.length === 0 ? [] : [`import type { ${used.join(', ')} } from './${namespace}-client.js';`];
}

function constant(operation: OperationModel, name: string, declared: DeclaredTypes, read: string | null): string {
  const { kind, text, result, variables } = operation;
  const variablesType = variables === null ? 'Readonly<Record<string, never>>' : declared.request.of(variables);
  const types = `${declared.response.of(result)}, ${variablesType}`;
  const lines = [`kind: '${kind}'`, `text: ${quoted(text)}`, `read: ${read ?? 'null'}`, ...ownLines(operation)];
  return `export const ${name}: ${documentTypes[kind]}<${types}> = {\n${lines.map((line) => `  ${line},\n`).join('')}};`;
}

const documentTypes = {
  query: 'QueryDocument',
  mutation: 'MutationDocument',
  subscription: 'SubscriptionDocument',
} as const;

function ownLines({ kind, isWaiting, isOneCommand, list }: OperationModel): string[] {
  if (kind === 'mutation') return [`isOneCommand: ${isOneCommand}`];
  const waiting = `isWaiting: ${isWaiting}`;
  return kind === 'query' ? [waiting] : [waiting, `list: ${list === null ? 'null' : quoted(list)}`];
}

function graphQLFunction({ calls }: DocumentsModel, constants: ReadonlyMap<string, string>): string {
  const sorted = calls.toSorted((a, b) => (a.text < b.text ? -1 : 1));
  const constantOf = (operation: string | null): string => (operation === null ? 'null' : constants.get(operation)!);
  const types = sorted.map(({ text, operation }) => {
    const name = constantOf(operation);
    return `  readonly ${quoted(text)}: ${name === 'null' ? name : `typeof ${name}`};\n`;
  });
  const values = sorted.map(({ text, operation }) => `  ${quoted(text)}: ${constantOf(operation)},\n`);
  return [
    '/** Returns the document of a text in your sources. If the compiler rejects the text, run `svc generate`. */',
    'export function graphql<T extends keyof Texts>(text: T): Texts[T] {',
    "  if (!Object.hasOwn(texts, text)) throw new Error('The document is new or has changed. Run svc generate.');",
    '  return texts[text];',
    '}',
    '',
    `interface Texts {\n${types.join('')}}`,
    '',
    `const texts: Texts = {\n${values.join('')}};`,
  ].join('\n');
}
