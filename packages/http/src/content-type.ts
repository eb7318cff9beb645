/** How REST and GraphQL read request headers: the longest header, and content types. */

/** Longer headers are not parsed. Credentials (8 KiB) and idempotency keys (255 characters) have their own limits. */
export const longestHeader = 1024;

/** A parsed `Content-Type` header. */
export interface ContentType {
  /** In lower case, such as `application/json`. */
  readonly mediaType: string;
  /** Names in lower case, values without their quotes. A name can occur more than once. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** Whether a `Content-Type` declares JSON in UTF-8. Without a charset JSON is UTF-8; if there are several charsets, each must be UTF-8. */
export function isJsonInUtf8(header: string | undefined): boolean {
  if (header === 'application/json') return true;
  const type = header === undefined ? null : readContentType(header);
  if (type?.mediaType !== 'application/json') return false;
  return type.parameters.every(([name, value]) => name !== 'charset' || value.toLowerCase() === 'utf-8');
}

/**
 * Reads a `Content-Type` as RFC 9110, sections 8.3.1 and 5.6.6, defines it. Null if it is malformed or exceeds `longestHeader`. Each
 * character is read once: on hostile headers a regular expression can take quadratic time.
 */
export function readContentType(header: string): ContentType | null {
  if (header.length > longestHeader) return null;
  const text = new HeaderText(header);
  const type = text.token();
  if (type === '' || !text.skip('/')) return null;
  const subtype = text.token();
  if (subtype === '') return null;
  const parameters: [string, string][] = [];
  for (text.skipSpaces(); !text.isAtEnd; text.skipSpaces()) {
    if (!text.skip(';')) return null;
    text.skipSpaces();
    const name = text.token();
    // The grammar allows a semicolon without a parameter.
    if (name === '') continue;
    const value = text.skip('=') ? text.tokenOrQuoted() : null;
    if (value === null) return null;
    parameters.push([name.toLowerCase(), value]);
  }
  return { mediaType: `${type}/${subtype}`.toLowerCase(), parameters };
}

/** A header and the position of the next character. */
class HeaderText {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  skipSpaces(): void {
    while (this.#text[this.#at] === ' ' || this.#text[this.#at] === '\t') this.#at += 1;
  }

  /** Empty when no token starts here. */
  token(): string {
    const start = this.#at;
    while (tokenCharacters.has(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#text.slice(start, this.#at);
  }

  /** Null when neither a token nor a closed quoted string starts here. */
  tokenOrQuoted(): string | null {
    if (!this.skip('"')) return this.token() || null;
    let value = '';
    while (!this.isAtEnd) {
      if (this.skip('"')) return value;
      this.skip('\\');
      value += this.#text[this.#at] ?? '';
      this.#at += 1;
    }
    return null;
  }
}

const tokenCharacters: ReadonlySet<string> = new Set(
  "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
);
