/** A page of docs/guides whose commands can be run, in the order in which they stand there. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Block {
  readonly language: string;
  readonly text: string;
}

export interface Step {
  readonly commands: string;
  /** What the page says is printed; null when it does not say. */
  readonly answer: string | null;
}

export class Guide {
  readonly blocks: readonly Block[];

  constructor(name: string) {
    const page = readFileSync(join(root, 'docs/guides', name), 'utf8');
    this.blocks = [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
      language,
      text: text.trim(),
    }));
  }

  /** The blocks of shell commands with what is printed, but for the one that starts the service. */
  get steps(): readonly Step[] {
    return this.blocks.flatMap(({ language, text }, i) => {
      if (language !== 'sh' || text.endsWith('npm start')) return [];
      const next = this.blocks[i + 1];
      return [{ commands: text, answer: next?.language === 'text' ? next.text : null }];
    });
  }

  /** Starts the service as the page says, on a free port. */
  async start(): Promise<Running> {
    const command = this.blocks.find(({ text }) => text.endsWith('npm start'))!.text;
    const variables = [...command.matchAll(/(\w+)=(\S+) /g)].map(([, name, value]) => [name, value]);
    // A folder of its own: the data of an earlier run must not be there.
    const folder = mkdtempSync(join(tmpdir(), 'svc-guide-'));
    const child = spawn(process.execPath, [join(root, 'examples/orders/dist/main.js')], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...Object.fromEntries(variables), PORT: '0', DRAIN_NOTICE_MS: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const [, found] = /POST (http\S+)\/orders/.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', (code) => reject(new Error(`The service ended with ${code}.\n${output}`)));
    });
    return new Running(child, url, folder);
  }
}

const between = '--- next block ---';

export class Running {
  readonly #service: ChildProcess;
  readonly #url: string;
  /** Where its data are. */
  readonly folder: string;

  constructor(service: ChildProcess, url: string, folder: string) {
    this.#service = service;
    this.#url = url;
    this.folder = folder;
  }

  /** Runs all steps in one shell, and answers with what each printed. */
  run(steps: readonly Step[], cwd = root): string[] {
    const script = steps.map(({ commands }) => commands).join(`\necho; echo '${between}'\n`);
    const { stdout, stderr, status } = spawnSync(
      'sh',
      ['-e', '-c', script.replaceAll('http://127.0.0.1:3000', this.#url)],
      {
        cwd,
        encoding: 'utf8',
        env: { ...process.env, PATH: join(root, 'tests/guides/bin') + delimiter + process.env['PATH'] },
      },
    );
    if (status !== 0) throw new Error(`The commands ended with ${status}.\n${stdout}\n${stderr}`);
    return stdout.split(between).map((text) => text.trim());
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#service.once('exit', resolve));
    this.#service.kill('SIGTERM');
    await ended;
    rmSync(this.folder, { recursive: true });
  }
}

/** A text without what is different each time: ids, times, keys. */
export function withoutChance(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/"traceId":"[0-9a-f]{32}"/g, '"traceId":"<id>"')
    .replace(/"sha256":"[0-9a-f]{64}"/g, '"sha256":"<hash>"')
    .replace(/^key( +)[\w-]{43}$/gm, 'key$1<key>');
}
