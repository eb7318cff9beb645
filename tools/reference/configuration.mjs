/** The generated regions of docs/reference/configuration.md: options and methods with their defaults. */
import { commentOf, declared, divided, propertiesOf, textOf } from './members.mjs';
import { prose, table } from './regions.mjs';

/** `options <place> <name>`: the properties of a type. `methods <place> <class>`: what you call and set. The place is a package or a file. */
export function configurationRegion(root, what) {
  const [kind, place, name] = what.split(' ');
  if (kind === 'options') return optionRows(declared(root, place, name));
  if (kind === 'methods') return methodRows(declared(root, place, name));
  return undefined;
}

function optionRows({ file, node, comment }) {
  const rows = propertiesOf(node).flatMap((property) => propertyRows(file, property, ''));
  return [...(comment === '' ? [] : [prose(comment), '']), ...table(['option', 'type', 'default', 'meaning'], rows)];
}

/** The row of a property. One whose type is written in place has a row for each of its own properties. */
function propertyRows(file, property, path) {
  const name = `${path}${property.key.name}`;
  const type = property.typeAnnotation.typeAnnotation;
  const comment = commentOf(property);
  if (comment === '' && type.type === 'TSTypeLiteral')
    return type.members.flatMap((member) => propertyRows(file, member, `${name}.`));
  const { meaning, byDefault } = divided(comment);
  const isRequired = property.optional !== true && byDefault === null;
  const fallback = isRequired ? 'required' : (byDefault ?? withoutDefault(type));
  return [[code(name), code(textOf(file, type)), prose(fallback), described(file, name, meaning)]];
}

/** Options of options have defaults of their own. */
function withoutDefault(type) {
  return /(?:Options|Limits|Retry)$/.test(type.typeName?.name ?? '') ? 'its defaults' : 'none';
}

function described(file, name, meaning) {
  if (meaning === '') throw new Error(`${file}: say in the doc comment of ${name} what it means.`);
  return prose(meaning);
}

/** Public methods and fields of a class that a caller sets or calls, without those that only read. */
function methodRows({ file, node }) {
  const rows = node.body.body.flatMap((member) => {
    const { meaning, byDefault } = divided(commentOf(member));
    if (member.type === 'ClassMethod' && member.kind === 'method') {
      const parameters = member.params.map((parameter) => parameterOf(file, parameter)).join(', ');
      return [
        [code(`${member.key.name}(${parameters})`), prose(byDefault ?? ''), described(file, member.key.name, meaning)],
      ];
    }
    if (member.type === 'ClassProperty' && member.accessibility === undefined && member.readonly !== true) {
      return [[code(member.key.name), code(textOf(file, member.value)), described(file, member.key.name, meaning)]];
    }
    return [];
  });
  return table(['call', 'default', 'meaning'], rows);
}

function parameterOf(file, parameter) {
  const { left = parameter } = parameter;
  const of = left.type === 'RestElement' ? left.argument : left;
  const type = left.typeAnnotation === undefined ? undefined : textOf(file, left.typeAnnotation.typeAnnotation);
  if (of.type !== 'ObjectPattern') return `${left.type === 'RestElement' ? '...' : ''}${of.name}`;
  return type.startsWith('{') ? `{ ${of.properties.map(({ key }) => key.name).join(', ')} }` : 'options';
}

function code(text) {
  return `\`${text}\``;
}
