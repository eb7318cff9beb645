/** A page of docs/guides whose commands can be run, in the order in which they stand there. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

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
  /** What the page says is in files, by their paths: a path in front of the block. */
  readonly files: Readonly<Record<string, string>>;

  constructor(name: string) {
    const page = readFileSync(join(root, 'docs/guides', name), 'utf8');
    const files = page.matchAll(/`([\w./-]+\.\w+)`:\n\n```\w+\n(.*?)^```$/gms);
    this.files = Object.fromEntries([...files].map(([, path = '', text = '']) => [path, text]));
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

  /** Starts the reference service as the page says, on a free port. */
  async start(): Promise<Running> {
    const command = this.blocks.find(({ text }) => text.endsWith('npm start'))!.text;
    const variables = [...command.matchAll(/(\w+)=(\S+) /g)].map(([, name, value]) => [name, value]);
    // A folder of its own: the data of an earlier run must not be there.
    const folder = mkdtempSync(join(tmpdir(), 'svc-guide-'));
    const program = join(root, 'examples/orders/dist/main.js');
    return await Running.start([program], folder, Object.fromEntries(variables) as Record<string, string>);
  }
}

const between = '--- next block ---';

export class Running {
  readonly #service: ChildProcess;
  readonly url: string;
  /** Where its data are. */
  readonly folder: string;

  /** Resolves once the program has printed its address. `node`: which one runs it. */
  static async start(
    args: readonly string[],
    folder: string,
    variables: Record<string, string> = {},
    node = process.execPath,
  ): Promise<Running> {
    const child = spawn(node, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...variables, PORT: '0', DRAIN_NOTICE_MS: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const [found] = /http:\/\/[\d.]+:\d+(?=[/\s"])/.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', (code) => reject(new Error(`The service ended with ${code}.\n${output}`)));
    });
    return new Running(child, url, folder);
  }

  private constructor(service: ChildProcess, url: string, folder: string) {
    this.#service = service;
    this.url = url;
    this.folder = folder;
  }

  /** Runs all steps in one shell, and answers with what each printed. */
  run(steps: readonly Step[], cwd = root): string[] {
    const script = steps.map(({ commands }) => commands).join(`\necho; echo '${between}'\n`);
    const printed = runInShell(script.replaceAll('http://127.0.0.1:3000', this.url), cwd);
    return printed.split(between).map((text) => text.trim());
  }

  /** Ends it as a platform does, and answers with its exit code. */
  async end(): Promise<number | null> {
    const ended = new Promise<number | null>((resolve) => this.#service.once('exit', resolve));
    this.#service.kill('SIGTERM');
    return await ended;
  }

  /** Ends it, and removes its folder. */
  async stop(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true });
  }
}

/** Runs commands as they stand in a guide, with the programs in `bin` before those of the machine; answers with what they print. */
export function runInShell(commands: string, cwd: string): string {
  const env = { ...process.env, PATH: join(root, 'tests/documentation/guides/bin') + delimiter + process.env['PATH'] };
  const { stdout, stderr, status } = spawnSync('sh', ['-e', '-c', commands], { cwd, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`The commands ended with ${status}.\n${stdout}\n${stderr}`);
  return stdout;
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
