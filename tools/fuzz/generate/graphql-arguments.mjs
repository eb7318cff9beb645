import { getNamedType, isEnumType, isInputObjectType, isListType, isNonNullType } from 'graphql';

/** The text of a field's arguments: variables, which are added to `parts`, or literals if wanted. */
export function argumentsOf(field, parts) {
  const { random } = parts.values;
  const given = field.args.filter((arg) => isNonNullType(arg.type) || random.chance(0.3));
  // A query that names an event also says how long it waits.
  if (given.some(({ name }) => name === 'afterEvent')) addNamed(given, field.args, 'waitSeconds');
  if (given.length === 0) return '';
  const texts = given.map(({ name, type }) => `${name}: ${argumentText(name, type, field, parts)}`);
  return `(${texts.join(', ')})`;
}

function addNamed(given, all, name) {
  const found = all.find((arg) => arg.name === name);
  if (found !== undefined && !given.includes(found)) given.push(found);
}

function argumentText(name, type, field, { values, hasLiterals, variables }) {
  const of = name === 'id' ? `${field.name}Id` : name;
  if (hasLiterals && values.random.chance(0.6)) return literalOf(valueOf(type, values, of), type);
  const variable = `v${variables.length}`;
  variables.push({ variable, type, of, declaration: `$${variable}: ${String(type)}` });
  return `$${variable}`;
}

/** A JSON value for an input type. */
export function valueOf(type, values, name) {
  if (isNonNullType(type)) return valueOf(type.ofType, values, name);
  if (isListType(type))
    return Array.from({ length: values.random.between(1, 3) }, () => valueOf(type.ofType, values, name));
  if (isInputObjectType(type)) return inputObject(type, values, name);
  if (isEnumType(type)) return values.random.pick(type.getValues()).name;
  return scalarOf(type.name, values, name);
}

function inputObject(type, values, name) {
  const { random } = values;
  const fields = Object.values(type.getFields());
  const chosen = type.isOneOf
    ? [random.pick(fields)]
    : fields.filter((field) => isNonNullType(field.type) || random.chance(0.3));
  // The operators of a filter apply to the property above them.
  const nameOf = (field) => (type.name.endsWith('Condition') ? name : field.name);
  return Object.fromEntries(chosen.map((field) => [field.name, valueOf(field.type, values, nameOf(field))]));
}

function scalarOf(scalar, values, name) {
  switch (scalar) {
    case 'Int':
    case 'SafeInt':
      return values.number(name);
    case 'Float':
      return values.number(name) / 4;
    case 'Boolean':
      return values.random.chance(0.5);
    case 'Decimal':
      return values.decimal();
    case 'DateTime':
      return values.date();
    case 'UUID':
      return values.id(name);
    case 'ID':
      return name === 'afterEvent' ? values.event() : values.id(name);
    default:
      return name === 'after' ? values.pageToken() : values.text(name);
  }
}

/** A JSON value in GraphQL notation, where enum values are not quoted. */
export function literalOf(value, type) {
  if (value === null || type === undefined) return JSON.stringify(value);
  if (isNonNullType(type)) return literalOf(value, type.ofType);
  if (isListType(type)) return `[${value.map((item) => literalOf(item, type.ofType)).join(', ')}]`;
  if (isInputObjectType(type)) {
    const fields = type.getFields();
    return `{${Object.entries(value)
      .map(([key, item]) => `${key}: ${literalOf(item, fields[key]?.type)}`)
      .join(', ')}}`;
  }
  return isEnumType(getNamedType(type)) ? value : JSON.stringify(value);
}
