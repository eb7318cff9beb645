import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const mostKept = 30;

/** What went wrong in a run. Failures that look alike are counted, and the first of them is kept with its request. */
export class Failures {
  #folder;
  #run;
  #bySignature = new Map();
  count = 0;

  /** `run` says how the run is repeated, and stands in every file. */
  constructor(folder, run) {
    this.#folder = folder;
    this.#run = run;
  }

  get list() {
    return [...this.#bySignature.values()];
  }

  /** Whether nothing that looks like it was added before. */
  isNew(kind, text, request) {
    return !this.#bySignature.has(signatureOf(kind, text, request));
  }

  /** Adds a failure; with a request it is written to a file that `--replay` takes. */
  add(kind, text, request = null) {
    this.count++;
    const signature = signatureOf(kind, text, request);
    const known = this.#bySignature.get(signature);
    if (known !== undefined) {
      known.count++;
      return;
    }
    if (this.#bySignature.size >= mostKept) return;
    const file = request === null ? null : join(this.#folder, `failure-${this.#bySignature.size + 1}.json`);
    if (file !== null) writeFileSync(file, this.#textOf(request, `${kind}: ${text}`));
    this.#bySignature.set(signature, { kind, text, file, count: 1, operation: request?.operation ?? null });
  }

  #textOf(request, failure) {
    return JSON.stringify({ ...this.#run, ...savedRequest(request, failure) }, null, 2);
  }
}

/** Ids, numbers and traces differ between failures that are the same. */
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
