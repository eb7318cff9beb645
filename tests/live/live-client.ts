/** A client of live queries, which does what the guide says: it stores models by key, in order, and its place. */

export interface LiveEvent {
  readonly name: string;
  readonly data: Record<string, unknown>;
  readonly id: string | null;
}

interface Entry {
  readonly key: string;
  readonly model: Record<string, unknown>;
}

export class LiveClient {
  readonly events: LiveEvent[] = [];
  /** The models in their order. */
  entries: Entry[] = [];
  /** The `id` of the last event. */
  place: string | null = null;
  retryMs: number | null = null;
  comments = 0;
  status = 0;
  isEnded = false;
  /** Called for each event, after it was applied. */
  onEvent: (event: LiveEvent) => void = () => {};
  #abort = new AbortController();
  #pause: Promise<void> | null = null;

  /** Resolves when the response has begun. Events follow. */
  async connect(url: string, headers: Record<string, string> = {}): Promise<Response> {
    this.#abort = new AbortController();
    this.isEnded = false;
    const place: Record<string, string> = this.place === null ? {} : { 'last-event-id': this.place };
    const response = await fetch(url, { headers: { ...headers, ...place }, signal: this.#abort.signal });
    this.status = response.status;
    if (response.status === 200)
      void this.#read(response.body!)
        .catch(() => {})
        .finally(() => (this.isEnded = true));
    return response;
  }

  get keys(): string[] {
    return this.entries.map(({ key }) => key);
  }

  get models(): Record<string, unknown>[] {
    return this.entries.map(({ model }) => model);
  }

  close(): void {
    this.#abort.abort();
  }

  /** Reads nothing until the returned function is called. */
  pause(): () => void {
    let resume = (): void => {};
    this.#pause = new Promise((resolve) => (resume = resolve));
    return () => {
      this.#pause = null;
      resume();
    };
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of body) {
      rest += decoder.decode(chunk, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop()!;
      for (const block of blocks) this.#take(block.split('\n'));
      if (this.#pause !== null) await this.#pause;
    }
  }

  #take(lines: readonly string[]): void {
    const fields = new Map(lines.map((line) => line.split(/: (.*)/s, 2) as [string, string]));
    if (lines[0]!.startsWith(':')) this.comments++;
    if (fields.has('retry')) this.retryMs = Number(fields.get('retry'));
    const name = fields.get('event');
    if (name === undefined) return;
    const data = JSON.parse(fields.get('data')!) as LiveEvent['data'];
    const id = fields.get('id') ?? null;
    this.#apply(name, data);
    if (id !== null) this.place = id;
    const event = { name, data, id };
    this.events.push(event);
    this.onEvent(event);
  }

  #apply(name: string, data: Record<string, unknown>): void {
    if (name === 'reset') this.entries = [];
    else if (name === 'page') this.entries = data['models'] as Entry[];
    else if (name === 'remove') this.entries = this.entries.filter(({ key }) => key !== data['key']);
    else if (name === 'keys') {
      const known = new Map(this.entries.map((entry) => [entry.key, entry]));
      this.entries = (data['keys'] as string[]).map((key) => {
        const entry = known.get(key);
        if (entry === undefined) throw new Error(`The client has no model ${key}.`);
        return entry;
      });
    } else if (name === 'upsert') {
      const { key, after, model } = data as unknown as Entry & { after: string | null };
      const others = this.entries.filter((entry) => entry.key !== key);
      const at = after === null ? 0 : others.findIndex((entry) => entry.key === after) + 1;
      this.entries = others.toSpliced(at, 0, { key, model });
    } else throw new Error(`Unknown event ${name}.`);
  }
}
