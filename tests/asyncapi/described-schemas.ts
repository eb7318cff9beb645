/** Checks real messages against an AsyncAPI document. */
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';

/** The parts of a document that the tests read. */
export interface AsyncApi {
  readonly channels: Readonly<
    Record<
      string,
      {
        readonly address: string;
        readonly messages: Readonly<Record<string, { readonly $ref: string }>>;
        readonly parameters?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
        readonly bindings?: { readonly amqp?: { readonly exchange: { readonly name: string; readonly type: string } } };
      }
    >
  >;
  readonly operations: Readonly<
    Record<string, { readonly action: string; readonly channel: { readonly $ref: string } }>
  >;
  readonly components: {
    readonly messages: Readonly<Record<string, { readonly name: string; readonly contentType: string }>>;
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes?: object;
  };
}

export class DescribedSchemas {
  readonly #document: AsyncApi;
  readonly #ajv = new Ajv({ strict: false, allErrors: true });
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: AsyncApi) {
    this.#document = document;
    formats.default(this.#ajv);
    this.#ajv.addFormat('decimal', true);
    this.#ajv.addSchema({ $id: 'document', ...document });
  }

  /** Every difference between a message of a channel, by its name, and the document. */
  violations(
    channel: string,
    name: string,
    message: { readonly headers: object; readonly payload: unknown },
  ): string[] {
    const { messages } = this.#document.channels[channel]!;
    const reference = Object.values(messages).find(({ $ref }) => this.#messageOf($ref).name === name);
    if (reference === undefined) return [`${channel} has no message ${name}.`];
    return (['headers', 'payload'] as const).flatMap((part) =>
      this.#check(`document${reference.$ref}/${part}`, message[part]).map((error) => `${part} of ${name}: ${error}`),
    );
  }

  #messageOf(reference: string): AsyncApi['components']['messages'][string] {
    return this.#document.components.messages[reference.slice('#/components/messages/'.length)]!;
  }

  #check(schema: string, value: unknown): string[] {
    let validate = this.#compiled.get(schema);
    if (validate === undefined) this.#compiled.set(schema, (validate = this.#ajv.compile({ $ref: schema })));
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
  }
}
