/** Compares responses with what the OpenAPI document says about their operation. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { nameIn, type Document, type DocumentedResponse, type Schema } from './document.js';
import type { ApiRequest } from './random-requests.js';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

/** Headers of HTTP itself and of caches and browsers, which every response may have. */
const commonHeaders: ReadonlySet<string> = new Set([
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'x-content-type-options',
]);

/** Statuses that do not depend on whether the parameters and the body are valid. */
const otherReasons: ReadonlySet<number> = new Set([401, 403, 413, 415]);

export class Conformance {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false });
  readonly #compiled = new Map<Schema, ValidateFunction>();

  readonly #rules: readonly string[];

  /** @param rules details of errors that a schema cannot express, such as a relation of two properties */
  constructor(document: Document, rules: readonly string[]) {
    this.#document = document;
    this.#rules = rules;
    formats.default(this.#ajv);
    this.#ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
    this.#ajv.addFormat('decimal', true);
    this.#ajv.addSchema({ $id: 'document', components: document.components });
  }

  /** Every way in which a response differs from the document. */
  deviations(request: ApiRequest, response: ApiResponse): string[] {
    const { status, headers, text } = response;
    const documented = this.#responseOf(request, status);
    if (documented === null) return [`status ${status} is not documented`];
    const found: string[] = [];
    if (status >= 500 && status !== 503) found.push(`status ${status}`);
    const type = String(headers['content-type'] ?? '').split(';', 1)[0]!;
    const schema = documented.content?.[type]?.schema;
    if (schema === undefined) found.push(`content type "${type}" of ${status} is not documented`);
    else found.push(...this.#violations(schema, contentOf(type, text)).map((error) => `body of ${status}: ${error}`));
    if (type === 'text/event-stream' && !startsWithModels.test(text))
      found.push(`the first event of ${status}: ${text}`);
    found.push(...this.#headerDeviations(documented, response), ...this.#disagreement(request, response));
    return found;
  }

  #responseOf({ operation: { responses } }: ApiRequest, status: number): DocumentedResponse | null {
    const found = responses[status] ?? responses['default'];
    if (found?.$ref === undefined) return found ?? null;
    return this.#document.components.responses[nameIn(found.$ref)] ?? null;
  }

  #headerDeviations(documented: DocumentedResponse, { status, headers }: ApiResponse): string[] {
    const described = new Map(
      Object.entries(documented.headers ?? {}).map(([name, { schema }]) => [name.toLowerCase(), schema]),
    );
    return Object.entries(headers).flatMap(([name, value]) => {
      if (commonHeaders.has(name)) return [];
      const schema = described.get(name);
      if (schema === undefined) return [`header ${name} of ${status} is not documented`];
      const parsed = schema.type === 'integer' ? Number(value) : String(value);
      return this.#violations(schema, parsed).map((error) => `header ${name} of ${status}: ${error}`);
    });
  }

  /** The reader accepts exactly the bodies that the document allows. */
  #disagreement({ operation, body, followsDocument }: ApiRequest, { status, text }: ApiResponse): string[] {
    if (otherReasons.has(status)) return [];
    const schema = operation.requestBody?.content['application/json']?.schema;
    const isValid = schema === undefined || (isJson(body) && this.#violations(schema, JSON.parse(body!)).length === 0);
    if (!isValid && status !== 400) return [`status ${status} for an invalid body`];
    if (!isValid || !followsDocument || status !== 400) return [];
    const { errors = [] } = JSON.parse(text) as { errors?: readonly { pointer: string; detail: string }[] };
    const unexplained = errors.filter(({ detail }) => !this.#rules.some((rule) => isRule(rule, detail)));
    if (errors.length > 0 && unexplained.length === 0) return [];
    return [`status 400 for a valid request: ${JSON.stringify(unexplained)}`];
  }

  #violations(schema: Schema, value: unknown): string[] {
    let validate = this.#compiled.get(schema);
    if (validate === undefined) {
      const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object;
      this.#compiled.set(schema, (validate = this.#ajv.compile(absolute)));
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  }
}

/** The first events of a live query. */
const startsWithModels = /^retry: \d+\n\n(?:event: reset\ndata: \{\}\n\n)?id: \S+\nevent: page\ndata: \{"models":\[/;

function contentOf(type: string, text: string): unknown {
  return type === 'text/event-stream' ? text : JSON.parse(text);
}

/** The service replaces the secrets of a command in texts, whatever they are. */
function isRule(rule: string, detail: string): boolean {
  const parts = detail.split('[secret]');
  let at = 0;
  return parts.every((part) => {
    at = rule.indexOf(part, at);
    return at !== -1;
  });
}

function isJson(text: string | null): boolean {
  try {
    JSON.parse(text ?? '');
    return true;
  } catch {
    return false;
  }
}
