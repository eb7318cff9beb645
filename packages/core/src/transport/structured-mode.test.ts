import { expect, it } from 'vitest';
import { isStructured, largestAttributesBytes, mediaTypeOf, readStructured } from './structured-mode.js';

const malformed = (why: string) =>
  expect.objectContaining({ code: 'SVC_MALFORMED_CLOUD_EVENT', message: why }) as Error;
const because = (what: string) => malformed(expect.stringContaining(`because of its ${what}`) as string);

it('reads the media type without parameters, in lower case', () => {
  expect(mediaTypeOf(' Application/JSON ; charset=utf-8; v=1')).toBe('application/json');
  expect(mediaTypeOf('text/plain')).toBe('text/plain');
});

it.each<[unknown, boolean]>([
  ['application/cloudevents+json', true],
  ['Application/CloudEvents+JSON; charset=utf-8', true],
  ['application/json', false],
  ['', false],
  [undefined, false],
  [7, false],
])('knows structured mode by the content type: %s', (contentType, expected) => {
  expect(isStructured(contentType)).toBe(expected);
});

it.each(['application/cloudevents', 'application/cloudevents+xml', 'application/cloudevents-batch+json'])(
  'rejects other formats: %s',
  (contentType) => {
    expect(() => isStructured(contentType)).toThrow(because('content type: only application/cloudevents+json'));
  },
);

it('reads attributes of any type, without those that are null, and the text of the data', () => {
  const text =
    '{ "id" : "1", "list":[1,{"data":2}], "object":{"a":[],"b":{}}, "none":null, "flag":true ,"data" : [ 1.0 ] }';
  expect(readStructured(text)).toEqual({
    attributes: { id: '1', list: [1, { data: 2 }], object: { a: [], b: {} }, flag: true },
    body: '[ 1.0 ]',
  });
  expect(readStructured('{"data":null}')).toEqual({ attributes: {}, body: 'null' });
  expect(readStructured(String.raw`{"a\"b,:{":"\\","data":"]}\""}`)).toEqual({
    attributes: { 'a"b,:{': '\\' },
    body: String.raw`"]}\""`,
  });
});

it('reads data in Base64 as UTF-8, with its byte order mark', () => {
  const encoded = Buffer.from('\ufeff{"note":"ß"}').toString('base64');
  expect(readStructured(`{"id":"1","data_base64":"${encoded}"}`)).toEqual({
    attributes: { id: '1' },
    body: '\ufeff{"note":"ß"}',
  });
});

it('accepts JSON as the type of the data only', () => {
  const read = (type: string) => readStructured(`{"data":1,"datacontenttype":${type}}`);
  expect(read('"Application/JSON; charset=utf-8"').body).toBe('1');
  expect(read('null').body).toBe('1');
  for (const type of ['"text/json"', '1', '["application/json"]']) {
    expect(() => read(type)).toThrow(because('datacontenttype'));
  }
});

it('limits the size of the attributes in bytes, and not that of the data', () => {
  const start = '{"data":,"x":""}'.length;
  const sized = (bytes: number, data: string) => `{"data":${data},"x":"${'ß'.repeat((bytes - start) / 2)}"}`;
  const data = `"${'ß'.repeat(largestAttributesBytes)}"`;
  expect(readStructured(sized(largestAttributesBytes, data)).body).toBe(data);
  expect(() => readStructured(sized(largestAttributesBytes + 2, '1'))).toThrow(because('attributes'));
  const encoded = `{"data_base64":"${Buffer.from(data).toString('base64')}","x":1}`;
  expect(readStructured(encoded).body).toBe(data);
});

it.each([
  ['no JSON', '{"data":', 'body: it is not JSON'],
  ['a list', '[{"data":1}]', 'body: it is not a JSON object'],
  ['null', 'null', 'body: it is not a JSON object'],
  ['an empty object', '{}', 'data: pass data or data_base64'],
  ['both kinds of data', '{"data":1,"data_base64":"MQ=="}', 'data: pass data or data_base64'],
  ['a member twice', '{"data":1,"id":"1","id":"1"}', 'body: a member appears twice'],
  ['no text in Base64', '{"data_base64":""}', 'data_base64: it is missing or invalid'],
  ['a number instead of Base64', '{"data_base64":1234}', 'data_base64: it is missing or invalid'],
  ['bytes that are not UTF-8', '{"data_base64":"/w=="}', 'data_base64: it is not UTF-8'],
])('rejects %s', (_, text, what) => {
  expect(() => readStructured(text)).toThrow(because(what));
});
