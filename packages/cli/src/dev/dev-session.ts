import { watch } from 'node:fs';
import { watchProject, type SourceChanges } from '@svc/generator';
import type { Terminal } from '../terminal.js';
import { ActivityLines } from './activity-lines.js';
import { Builder, type Build } from './builder.js';
import type { ServiceMessage } from './messages.js';
import { ownUserAgent } from './messages.js';
import { ServiceProcess } from './service-process.js';

/** Files next to package.json that a build or the service reads at its start. */
const settings: ReadonlySet<string> = new Set(['package.json', 'tsconfig.json', '.env']);

/** Builds a service at every change and restarts it when the build succeeds. The last good build runs in between. */
export class DevSession {
  readonly #directory: string;
  readonly #terminal: Terminal;
  readonly #activity: ActivityLines;
  #builder: Builder;
  #service: ServiceProcess | undefined;
  /** Waits to become the service after the next build. */
  #next: ServiceProcess | undefined;
  #work: Promise<void> = Promise.resolve();
  #since = 0;
  #url: string | null = null;
  #docs: string | null = null;

  /** Throws an error with a message for the user. */
  constructor(directory: string, terminal: Terminal) {
    this.#directory = directory;
    this.#terminal = terminal;
    this.#activity = new ActivityLines((line) => terminal.out(line));
    this.#builder = new Builder(directory);
  }

  /** The page with the API documentation; null: not known yet. */
  get docs(): string | null {
    return this.#docs;
  }

  /** Runs until the signal aborts, and then stops the service. */
  async run(signal: AbortSignal): Promise<void> {
    this.#since = performance.now();
    if (this.#build(undefined)) this.#start();
    let isReset = false;
    const onChange = (changes: SourceChanges): void => this.#later(() => this.#rebuild(changes));
    const sources = watchProject(this.#builder.project, onChange);
    const folder = watch(this.#directory, (_event, name) => {
      if (name === null || !settings.has(name) || isReset) return;
      isReset = true;
      this.#later(async () => {
        isReset = false;
        await this.#reset();
      });
    });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    sources.close();
    folder.close();
    await this.#work;
    await Promise.all([this.#service?.stop(), this.#next?.stop()]);
  }

  /** Restarts the service, even if nothing has changed. */
  restart(): void {
    this.#later(async () => {
      this.#since = performance.now();
      await this.#replace();
    });
  }

  /** One after the other: a build is never started while a service is being replaced. */
  #later(step: () => Promise<void>): void {
    this.#work = this.#work.then(step).catch((error: unknown) => this.#terminal.error(messageOf(error)));
  }

  async #rebuild(changes: SourceChanges): Promise<void> {
    this.#since = performance.now();
    if (this.#build(changes)) await this.#replace();
  }

  /** The settings have changed: everything is read again. */
  async #reset(): Promise<void> {
    this.#since = performance.now();
    await this.#next?.stop();
    this.#next = undefined;
    this.#builder = new Builder(this.#directory);
    if (this.#build(undefined, true)) await this.#replace();
  }

  /** Whether the service has to be restarted. Prints what prevents it. */
  #build(changes: SourceChanges, isForced = false): boolean {
    const build = this.#builder.build(changes);
    if (build.problems.length === 0) return isForced || build.isChanged || this.#service === undefined;
    this.#report(build);
    return false;
  }

  #report({ problems }: Build): void {
    for (const problem of problems) this.#terminal.error(problem);
    const state =
      this.#service === undefined ? 'The service is not running.' : 'The last build that compiled keeps running.';
    this.#terminal.error(`\n${state} svc builds again at the next change.`);
  }

  async #replace(): Promise<void> {
    await this.#service?.stop();
    this.#start();
  }

  #start(): void {
    this.#service = this.#next ?? this.#prepare();
    this.#next = undefined;
    this.#service.start();
  }

  #prepare(): ServiceProcess {
    const service: ServiceProcess = new ServiceProcess(this.#directory, this.#builder.program, {
      received: (message) => this.#received(message),
      failed: (reason) => {
        if (this.#next === service) {
          this.#next = undefined;
          return;
        }
        if (this.#service === service) this.#service = undefined;
        this.#terminal.error(`The service ${reason}. svc starts it again at the next change, or when you press r.`);
      },
    });
    return service;
  }

  #received(message: ServiceMessage): void {
    if (message.kind === 'activity') this.#activity.add(message.entries, message.omitted);
    else void this.#listening(message.url);
  }

  async #listening(url: string): Promise<void> {
    const ms = Math.round(performance.now() - this.#since);
    this.#next ??= this.#prepare();
    if (url === this.#url) {
      this.#terminal.out(`Restarted in ${ms} ms.`);
      return;
    }
    this.#url = url;
    this.#terminal.out(`Listening at ${url} (${ms} ms)`);
    const docs = `${url}/docs`;
    this.#docs = (await isServed(docs)) ? docs : null;
    if (this.#docs !== null) this.#terminal.out(`API documentation: ${docs}`);
  }
}

/** How long the service may take to answer whether it serves its documentation. */
const answerMs = 5_000;

async function isServed(url: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(answerMs);
    const { status } = await fetch(url, { method: 'HEAD', headers: { 'user-agent': ownUserAgent }, signal });
    return status === 200;
  } catch {
    return false;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
