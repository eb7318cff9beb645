/** The generated regions of docs/reference/metrics.md: the instruments of @svc/telemetry. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from '@babel/parser';
import { declarationsOf } from '../api/exports.mjs';
import { table } from './regions.mjs';

/** `metrics`: every instrument, with its name for Prometheus. `parts`: the parts of a service that report failures. */
export function metricsRegion(root, what) {
  if (what === 'parts')
    return [
      `${partsOf(root)
        .map((part) => `\`${part}\``)
        .join(', ')}.`,
    ];
  return what === 'metrics' ? metricsTable(root) : undefined;
}

function metricsTable(root) {
  return table(
    ['OpenTelemetry', 'Prometheus', 'type', 'unit', 'labels', 'meaning'],
    metricsOf(root).map(({ name, kind, unit, labels, description, prometheus }) => [
      `\`${name}\``,
      `\`${prometheus}\``,
      kind,
      unit,
      labels.map((label) => `\`${label}\``).join(', '),
      description,
    ]),
  );
}

/** The members of the union `ReportingPart`. */
function partsOf(root) {
  const [{ node }] = declarationsOf(join(root, 'packages/core/src/hosting/registrations.ts'), 'ReportingPart');
  return node.typeAnnotation.types.map(({ literal }) => literal.value).toSorted();
}

/** The definitions in metric.ts, evaluated: they are constants. */
export function metricsOf(root) {
  const attributes = constantsOf(join(root, 'packages/telemetry/src/attributes.ts'));
  const { metric, requestDuration } = constantsOf(join(root, 'packages/telemetry/src/metrics/metric.ts'), attributes);
  return [...Object.values(metric), requestDuration].map((one) =>
    Object.assign(one, { prometheus: prometheusName(one) }),
  );
}

/** As `prometheusName` of @svc/telemetry, which tests/documentation/reference.test.ts compares. */
function prometheusName({ name, kind, unit }) {
  const units = { s: '_seconds', By: '_bytes' };
  return `${name.replaceAll('.', '_')}${units[unit] ?? ''}${kind === 'counter' ? '_total' : ''}`;
}

function constantsOf(file, known = {}) {
  const { body } = parse(readFileSync(file, 'utf8'), { sourceType: 'module', plugins: ['typescript'] }).program;
  const values = { ...known };
  for (const statement of body) {
    const declaration = statement.declaration ?? statement;
    if (declaration.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations) values[id.name] = valueOf(init, values);
  }
  return values;
}

function valueOf(node, values) {
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
      return node.value;
    case 'Identifier':
      return values[node.name];
    case 'MemberExpression':
      return valueOf(node.object, values)[node.property.name];
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return valueOf(node.expression, values);
    case 'ArrayExpression':
      return node.elements.flatMap((element) =>
        element.type === 'SpreadElement' ? valueOf(element.argument, values) : [valueOf(element, values)],
      );
    case 'ObjectExpression':
      return Object.fromEntries(node.properties.map(({ key, value }) => [key.name, valueOf(value, values)]));
    default:
      throw new Error(`The definition of a metric has a ${node.type}, which the reference cannot read.`);
  }
}
