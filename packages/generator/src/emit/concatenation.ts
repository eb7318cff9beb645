/** Builds a string expression from constants and expressions. Adjacent constants are merged: each `+` costs time at run time. */
export class Concatenation {
  readonly #parts: { readonly isConstant: boolean; text: string }[] = [];

  /** Adds a constant text. */
  constant(text: string): this {
    const last = this.#parts.at(-1);
    if (last?.isConstant === true) last.text += text;
    else if (text !== '') this.#parts.push({ isConstant: true, text });
    return this;
  }

  expression(text: string): this {
    this.#parts.push({ isConstant: false, text });
    return this;
  }

  add(other: Concatenation): this {
    for (const { isConstant, text } of other.#parts) {
      if (isConstant) this.constant(text);
      else this.expression(text);
    }
    return this;
  }

  /** The parts as code. A line starts with a constant. */
  toString(separator = ' + '): string {
    let code = '';
    for (const [i, { isConstant, text }] of this.#parts.entries()) {
      if (i > 0) code += isConstant ? separator : ' + ';
      code += isConstant ? literalOf(text) : text;
    }
    return code === '' ? `''` : code;
  }
}

function literalOf(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
