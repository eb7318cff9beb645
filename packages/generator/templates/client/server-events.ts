/** One of the server-sent events of a stream. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
  /** Null if the event has none. */
  readonly id: string | null;
}

/** Reads server-sent events from chunks, which can end anywhere, also within a character. */
export class ServerEvents {
  /** When to connect again, as the server says. */
  retryMs = 1_000;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #name = '';
  #id: string | null = null;
  #data: string[] = [];

  /** The events that a chunk completes. */
  push(chunk: Uint8Array): ServerEvent[] {
    const text = this.#rest + this.#decoder.decode(chunk, { stream: true });
    // The next chunk can begin with the line feed that belongs to a carriage return.
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    this.#rest = lines.pop()! + text.slice(end);
    return lines.flatMap((line) => (line === '' ? this.#complete() : this.#field(line)));
  }

  #complete(): ServerEvent[] {
    const event = { name: this.#name, data: this.#data.join('\n'), id: this.#id };
    const isEvent = this.#data.length > 0;
    this.#name = '';
    this.#id = null;
    this.#data = [];
    return isEvent ? [event] : [];
  }

  /** A line without a name before the colon is a comment. */
  #field(line: string): ServerEvent[] {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'event') this.#name = value;
    else if (name === 'data') this.#data.push(value);
    else if (name === 'id') this.#id = value;
    else if (name === 'retry' && /^[0-9]+$/.test(value)) this.retryMs = Math.min(Number(value), 60_000);
    return [];
  }
}
