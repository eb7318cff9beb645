/** Reads CloudEvents in structured mode: all attributes and the data are one JSON text. */
import { isObject } from '../json/index.js';
import { malformedCloudEvent } from './malformed-cloud-event.js';

/** The parts of a CloudEvent in structured mode. */
export interface StructuredCloudEvent {
  /** Without a prefix. */
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The JSON text of the data, unchanged. */
  readonly body: string;
}

const structured = 'application/cloudevents';
const json = 'application/json';
/** As large as the headers of a message in binary mode can be. */
export const largestAttributesBytes = 65_536;

/** The media type of a content type, without parameters. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0]!.trim().toLowerCase();
}

/** Whether a message is in structured mode. Throws if its format is not JSON, or if it is a batch. */
export function isStructured(contentType: unknown): boolean {
  if (typeof contentType !== 'string') return false;
  const mediaType = mediaTypeOf(contentType);
  if (!mediaType.startsWith(structured)) return false;
  if (mediaType !== `${structured}+json`)
    throw malformedCloudEvent('content type', `only ${structured}+json is supported`);
  return true;
}

export function readStructured(text: string): StructuredCloudEvent {
  const members = membersOf(text);
  const data = members.get('data');
  const encoded = members.get('data_base64');
  const size = Buffer.byteLength(text) - Buffer.byteLength(data ?? '') - Buffer.byteLength(encoded ?? '');
  if (size > largestAttributesBytes) {
    throw malformedCloudEvent('attributes', `they have more than ${largestAttributesBytes} bytes`);
  }
  if ((data === undefined) === (encoded === undefined)) throw malformedCloudEvent('data', 'pass data or data_base64');
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of members) {
    // Null stands for an absent attribute.
    if (name !== 'data' && name !== 'data_base64' && value !== 'null') attributes[name] = JSON.parse(value) as unknown;
  }
  const { datacontenttype = json } = attributes;
  if (typeof datacontenttype !== 'string' || mediaTypeOf(datacontenttype) !== json) {
    throw malformedCloudEvent('datacontenttype', `only ${json} is supported`);
  }
  return { attributes, body: data ?? decoded(JSON.parse(encoded!)) };
}

function decoded(encoded: unknown): string {
  const bytes = Buffer.from(typeof encoded === 'string' ? encoded : '', 'base64');
  if (bytes.length === 0) throw malformedCloudEvent('data_base64');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw malformedCloudEvent('data_base64', 'it is not UTF-8', error);
  }
}

/** A string, or a character that structures a JSON text. The closing quote is optional to make the expression linear. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]/g;

/** The members of a JSON object with the text of their values: parsed and written again, numbers could be rounded. */
function membersOf(text: string): ReadonlyMap<string, string> {
  if (!isObject(parsed(text))) throw malformedCloudEvent('body', 'it is not a JSON object');
  const members = new Map<string, string>();
  let depth = 0;
  let name: string | null = null;
  let start = 0;
  let previous = '';
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '{' || found === '[') depth++;
    else if (depth === 1 && found === ':') [name, start] = [JSON.parse(previous) as string, index + 1];
    if (depth === 1 && (found === ',' || found === '}') && name !== null) {
      if (members.has(name)) throw malformedCloudEvent('body', 'a member appears twice');
      members.set(name, text.slice(start, index).trim());
      name = null;
    }
    if (found === '}' || found === ']') depth--;
    previous = found;
  }
  return members;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw malformedCloudEvent('body', 'it is not JSON', error);
  }
}
