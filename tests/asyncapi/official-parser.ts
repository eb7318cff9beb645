/** What the official parser of AsyncAPI says about documents. */
import { Parser } from '@asyncapi/parser';

const parser = new Parser();

/** `severity code: message at place` of everything that the parser reports; severity 0 is an error, 1 a warning. */
export async function diagnosticsOf(source: string): Promise<string[]> {
  const { document, diagnostics } = await parser.parse(source);
  const found = diagnostics.map(
    ({ severity, code, message, path }) => `${severity} ${code}: ${message} at ${path.join('/')}`,
  );
  return document === undefined ? [...found, 'There is no document.'] : found;
}
