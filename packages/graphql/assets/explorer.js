/** The explorer: fetches the schema of the service, lists its operations, and sends them. */
import { credentialHeader } from './explorer/credential-header.js';
import { operationSkeleton, typeText } from './explorer/operation-skeleton.js';

const typeRef = 'kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }';
const rootFields = `fields { name description args { name description defaultValue type { ${typeRef} } } type { ${typeRef} } }`;
const introspection = `{
  schema: __schema {
    queryType { ${rootFields} }
    mutationType { ${rootFields} }
    types {
      name kind description isOneOf
      fields { name description type { ${typeRef} } }
      inputFields { name description type { ${typeRef} } }
      enumValues { name }
      possibleTypes { name }
    }
  }
}`;

const endpoint = location.pathname;
const query = element('query');
const variables = element('variables');
const credential = element('credential');
const answer = element('answer');
const status = element('status');

credential.addEventListener('change', () => void showSchema());
element('run').addEventListener('click', () => void run());
document.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run();
});
await showSchema();

async function run() {
  status.textContent = 'running …';
  try {
    const given = variables.value.trim() === '' ? {} : JSON.parse(variables.value);
    const started = performance.now();
    const response = await send(query.value, given);
    const took = Math.round(performance.now() - started);
    status.textContent = `${response.status} in ${took} ms`;
    answer.textContent = JSON.stringify(await response.json(), null, 2);
  } catch (error) {
    status.textContent = 'not sent';
    answer.textContent = String(error);
  }
}

async function send(text, given) {
  return await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json',
      ...credentialHeader(credential.value),
    },
    body: JSON.stringify({ query: text, variables: given }),
  });
}

async function showSchema() {
  let data;
  try {
    const answered = await (await send(introspection, {})).json();
    if (answered.errors !== undefined) throw new Error(answered.errors[0].message);
    data = answered.data;
  } catch (error) {
    element('mutations').textContent = error.message;
    return;
  }
  const { types, queryType, mutationType } = data.schema;
  const own = types.filter(({ name }) => !name.startsWith('__'));
  const mutations = mutationType?.fields ?? [];
  showFields('mutations', 'mutation', mutations, own);
  showFields('queries', 'query', queryType.fields, own);
  element('types').replaceChildren(...own.map(typeItem));
  if (mutations.length > 0) useField('mutation', mutations[0], own);
  else useField('query', queryType.fields[0], own);
}

function showFields(place, kind, listed, types) {
  element(place).replaceChildren(...listed.map((field) => fieldItem(kind, field, types)));
}

function fieldItem(kind, field, types) {
  const button = make('button', field.name);
  button.addEventListener('click', () => useField(kind, field, types));
  const signature = field.args.map(({ name, type }) => `${name}: ${typeText(type)}`).join(', ');
  const item = make('li', '');
  item.append(button, make('code', `${signature === '' ? '' : `(${signature})`}: ${typeText(field.type)}`));
  if (field.description) item.append(make('p', field.description));
  return item;
}

function useField(kind, field, types) {
  const skeleton = operationSkeleton(kind, field, types);
  query.value = skeleton.query;
  variables.value = JSON.stringify(skeleton.variables, null, 2);
}

function typeItem({ name, kind, description, isOneOf, fields, inputFields, enumValues, possibleTypes }) {
  const item = make('details', '');
  item.append(make('summary', `${name} (${isOneOf ? 'one of' : kind.toLowerCase().replaceAll('_', ' ')})`));
  if (description) item.append(make('p', description));
  const lines = [
    ...(fields ?? inputFields ?? []).map((field) => `${field.name}: ${typeText(field.type)}`),
    ...(enumValues ?? possibleTypes ?? []).map((value) => value.name),
  ];
  if (lines.length > 0) item.append(make('pre', lines.join('\n')));
  return item;
}

function make(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function element(id) {
  return document.getElementById(id);
}
