import { styleText } from 'node:util';

/** The text in a style, if the stream that it is written to has colours. */
export function paint(
  hasColors: boolean | undefined,
  style: 'bold' | 'red' | 'yellow' | 'green',
  text: string,
): string {
  return hasColors === true ? styleText(style, text, { validateStream: false }) : text;
}

/** Whether colours may be written to a stream: it is a terminal, and neither NO_COLOR nor TERM=dumb rejects them. */
export function allowsColors(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
