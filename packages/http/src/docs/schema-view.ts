/** Renders schemas for people. */
import type { JsonSchema, SchemaObject } from '../openapi/index.js';
import { html, type Html, type HtmlValue } from './html.js';
import { paragraphs } from './text.js';

/** The properties of a schema as a table; for other types, the type and its constraints. */
export function schemaView(schema: JsonSchema, heading = 'Property'): Html {
  const rows = propertiesOf(schema, '');
  if (rows.length === 0) return html`<p>${typeOf(schema)}${constraintsView(schema)}</p>`;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${heading}</th>
        <th scope="col">Value</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(propertyView)}
    </tbody>
  </table>`;
}

interface Property {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** Objects without a name are shown in place, with dotted names: `address.city`, `items[].price`. */
function propertiesOf(schema: JsonSchema, prefix: string): Property[] {
  if (typeof schema === 'boolean') return [];
  const { properties = {}, required = [], items } = schema;
  const found: Property[] = [];
  for (const [key, value] of Object.entries(properties)) {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    found.push({ name, required: required.includes(key), schema: value }, ...propertiesOf(value, name));
  }
  if (items !== undefined) found.push(...propertiesOf(items, `${prefix}[]`));
  return found;
}

function propertyView({ name, required, schema }: Property): Html {
  const description = typeof schema === 'boolean' ? undefined : schema.description;
  return html`<tr>
    <th scope="row">
      <code>${name}</code>
      <span class="${required ? 'required' : 'optional'}">${required ? 'required' : 'optional'}</span>
    </th>
    <td>
      <div>${typeOf(schema)}${constraintsView(schema)}</div>
      ${paragraphs(description)}
    </td>
  </tr> `;
}

/** The type of a value in words; named types are links. */
export function typeOf(schema: JsonSchema): Html {
  if (typeof schema === 'boolean') return html`${schema ? 'any JSON' : 'nothing'}`;
  if (schema.$ref !== undefined) return linkTo(schema.$ref);
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined) {
    const values = schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`);
    return html`one of ${separated(values, ', ')}`;
  }
  const arms = schema.anyOf ?? schema.oneOf;
  if (arms !== undefined) return html`${separated(arms.map(typeOf), ' or ')}`;
  if (schema.prefixItems !== undefined) return html`array of ${separated(schema.prefixItems.map(typeOf), ', then ')}`;
  if (schema.items !== undefined) return html`array of ${typeOf(schema.items)}`;
  if (typeof schema.additionalProperties === 'object') return html`map of ${typeOf(schema.additionalProperties)}`;
  if (schema.type === undefined) return html`any JSON`;
  const name = typeof schema.type === 'string' ? schema.type : schema.type.join(' or ');
  return schema.format === undefined ? html`${name}` : html`${name} <span class="format">${schema.format}</span>`;
}

export function schemaId(name: string): string {
  return `schema-${encodeURIComponent(name)}`;
}

function linkTo(reference: string): Html {
  const name = reference.slice(reference.lastIndexOf('/') + 1);
  return html`<a href="#${schemaId(name)}">${name}</a>`;
}

function constraintsView(schema: JsonSchema): Html | null {
  const constraints = typeof schema === 'boolean' ? [] : constraintsOf(schema);
  return constraints.length === 0 ? null : html`<span class="constraints">${constraints.join(', ')}</span>`;
}

function constraintsOf(schema: SchemaObject): string[] {
  return [
    range(schema.minimum, schema.maximum, ''),
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'items'),
    schema.uniqueItems === true ? 'unique items' : '',
    schema.pattern === undefined ? '' : `matches ${schema.pattern}`,
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ].filter((text) => text !== '');
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const bounds =
    least !== undefined && most !== undefined
      ? least === most
        ? `exactly ${least}`
        : `${least} to ${most}`
      : least !== undefined
        ? `at least ${least}`
        : most !== undefined
          ? `at most ${most}`
          : '';
  return bounds === '' || unit === '' ? bounds : `${bounds} ${unit}`;
}

function separated(values: readonly Html[], separator: string): HtmlValue[] {
  return values.flatMap((value, i) => (i === 0 ? [value] : [separator, value]));
}
