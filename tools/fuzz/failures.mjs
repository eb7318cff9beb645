import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const mostFailures = 30;

/** The failures of a run. Similar failures are counted, and the first one is stored with its request. */
export class Failures {
  #folder;
  #run;
  #bySignature = new Map();
  count = 0;

  /** `run` describes how to repeat the run; it is part of every file. */
  constructor(folder, run) {
    this.#folder = folder;
    this.#run = run;
  }

  get list() {
    return [...this.#bySignature.values()];
  }

  /** Whether no similar failure was added before. */
  isNew(kind, text, request) {
    return !this.#bySignature.has(signatureOf(kind, text, request));
  }

  /** Adds a failure. Its request, if any, is written to a file for `--replay`. */
  add(kind, text, request = null) {
    this.count++;
    const signature = signatureOf(kind, text, request);
    const known = this.#bySignature.get(signature);
    if (known !== undefined) {
      known.count++;
      return;
    }
    if (this.#bySignature.size >= mostFailures) return;
    const file = request === null ? null : join(this.#folder, `failure-${this.#bySignature.size + 1}.json`);
    if (file !== null) writeFileSync(file, this.#textOf(request, `${kind}: ${text}`));
    this.#bySignature.set(signature, { kind, text, file, count: 1, operation: request?.operation ?? null });
  }

  #textOf(request, failure) {
    return JSON.stringify({ ...this.#run, ...savedRequest(request, failure) }, null, 2);
  }
}

/** Removes ids, numbers and traces, which differ between equal failures. */
function signatureOf(kind, text, request) {
  const pattern = text.slice(0, 300).replaceAll(/[0-9a-f]{8,}|\d+/gi, '#');
  return `${kind} ${request?.operation ?? ''} ${pattern}`;
}

function savedRequest({ number, operation, kind, method, target, headers, body, framing, caller }, failure) {
  const { identity, header } = caller;
  return {
    failure,
    request: { number, operation, kind, method, target, headers, body: body?.toString('base64') ?? null, framing },
    caller: { identity, header },
  };
}
