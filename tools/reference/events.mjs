/** The generated regions of docs/reference/events.md: system events with their fields and an example. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declarationsOf, exportedNames } from '../api/exports.mjs';
import { eventExamples } from './event-examples.mjs';
import { fieldMeanings } from './field-meanings.mjs';
import { commentOf, textOf } from './members.mjs';
import { prose, table } from './regions.mjs';

const core = 'packages/core/src';

/** `events <module>`: the events that a module of core declares. */
export function eventsRegion(root, what) {
  const [, module] = /^events ([\w/-]+)$/.exec(what) ?? [];
  return module === undefined
    ? undefined
    : eventsIn(root, module)
        .flatMap((event) => section(root, event))
        .slice(0, -1);
}

/** The system events that a module declares, in its order. */
export function eventsIn(root, module) {
  const file = join(root, core, `${module}.ts`);
  return exportedNames(file).flatMap((name) =>
    declarationsOf(file, name)
      .filter(({ kind }) => kind === 'class')
      .map((declaration) => Object.assign(declaration, { name })),
  );
}

function section(root, { name, file, node, comment }) {
  const fields = node.body.body.filter(({ type }) => type === 'ClassProperty');
  const example = eventExamples[name];
  if (example === undefined) throw new Error(`tools/reference/event-examples.mjs has no example of ${name}.`);
  return [
    `### ${name}`,
    '',
    prose(comment),
    '',
    `Enabled by ${switchOf(root, name)}.`,
    '',
    ...table(
      ['field', 'type', 'meaning'],
      fields.map((field) => row(file, field)),
    ),
    '',
    '```json',
    ...jsonLines(example),
    '```',
    '',
  ];
}

/** Indented JSON, with lists of texts in one line, as the formatter writes them. */
function jsonLines(value) {
  return JSON.stringify(value, null, 2)
    .replaceAll(/\[\s*("[^"]*"(?:,\s*"[^"]*")*)\s*\]/g, (_all, items) => `[${items.replaceAll(/,\s+/g, ', ')}]`)
    .split('\n');
}

function row(file, field) {
  const type = field.typeAnnotation === undefined ? 'Uuid' : textOf(file, field.typeAnnotation.typeAnnotation);
  const isOptional = field.optional === true ? ', optional' : '';
  const meaning = commentOf(field) || fieldMeanings[field.key.name];
  if (meaning === undefined) throw new Error(`${file}: add a comment to ${field.key.name}.`);
  return [`\`${field.key.name}\``, `\`${type}\`${isOptional}`, prose(meaning)];
}

const calls = {
  eventAuditEnabled: '`enableEventAudit()`',
  commandAuditEnabled: '`enableCommandAudit()`',
  perspectiveEventsEnabled: '`enablePerspectiveEvents()`',
  errorEventsEnabled: '`enableErrorEvents()`',
};

/** The call that makes svc emit an event. */
function switchOf(root, name) {
  const source = readFileSync(join(root, core, 'system-events/category.ts'), 'utf8');
  const [, flag] = new RegExp(`\\[${name}, '(\\w+)'\\]`).exec(source) ?? [];
  if (flag !== undefined) return calls[flag];
  if (name === 'LogSealed') return '`addSeals()`';
  if (name.startsWith('Process')) return '`addServiceReactions()`';
  if (name === 'TenantPlaced') return '`useDatabases()`';
  return '`addSystemEvents()` or `addSystemEventAuditing()`, always';
}
