import { spawn } from 'node:child_process';
import { newId } from '@svc/core';

/** The numbers of one life do not meet those of the next. */
const numbersPerLife = 10_000_000;

/** One host across its restarts. Each life continues where the one before ended. */
export class CountingHost {
  name;
  where;
  streams = [newId(), newId(), newId(), newId()];
  /** The commands that were answered: `stream number`. */
  answered = [];
  isReady = false;
  isDone = false;
  errors = '';
  lives = 0;
  #program;
  #configuration;
  #child = null;
  #ended = Promise.resolve();

  constructor(program, configuration) {
    this.name = configuration.name;
    this.where = configuration.where;
    this.#program = program;
    this.#configuration = configuration;
  }

  /** Starts a process that runs what is left of `total` commands. A number without an answer may be stored or not. */
  start(total) {
    const left = Math.max(0, total - this.answered.length);
    const life = { first: ++this.lives * numbersPerLife, total: left, streams: this.streams };
    const child = spawn(process.execPath, [this.#program, JSON.stringify({ ...this.#configuration, ...life })], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('close', resolve));
    this.isReady = false;
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop();
      for (const line of lines) this.#read(line);
    });
    // It may be killed before it has read that it may begin.
    child.stdin.on('error', () => {});
    child.stderr.setEncoding('utf8').on('data', (text) => (this.errors += text));
  }

  /** Lets it begin. */
  begin() {
    this.#child.stdin.write('begin\n');
  }

  async kill() {
    this.#child?.kill('SIGKILL');
    await this.#ended;
  }

  async stop() {
    this.#child.stdin.end();
    await this.#ended;
  }

  #read(line) {
    if (line === 'ready') this.isReady = true;
    else if (line === 'done') this.isDone = true;
    else this.answered.push(line);
  }
}
