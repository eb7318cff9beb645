import { ts } from './compiler.js';
import type { Compilation } from './compilation.js';
import { calledOnClass, classesOf } from './file-scan.js';

/** One use of a decorator of core: as a decorator, or called on the class in a statement. */
export interface DecoratorCall {
  readonly call: ts.CallExpression;
  /** Its class; undefined if the call names none. */
  readonly target: ts.Symbol | undefined;
  /** The class as written. */
  readonly targetName: string;
}

/** The uses of one decorator, module by module. */
export class DecoratorCalls {
  readonly #compilation: Compilation;
  readonly #decorator: ts.Symbol;
  readonly #byFile = new Map<ts.SourceFile, readonly DecoratorCall[]>();

  constructor(compilation: Compilation, decorator: ts.Symbol) {
    this.#compilation = compilation;
    this.#decorator = decorator;
  }

  in(file: ts.SourceFile): readonly DecoratorCall[] {
    let calls = this.#byFile.get(file);
    if (calls === undefined) {
      calls = [...this.#decorators(file), ...this.#statements(file)];
      this.#byFile.set(file, calls);
    }
    return calls;
  }

  /** The first use for a class in the module that declares it. */
  of(target: ts.Symbol): DecoratorCall | undefined {
    const file = target.valueDeclaration?.getSourceFile();
    return file === undefined ? undefined : this.in(file).find((use) => use.target === target);
  }

  #decorators(file: ts.SourceFile): DecoratorCall[] {
    return classesOf(file.statements).flatMap((node) =>
      (ts.getDecorators(node) ?? []).flatMap(({ expression }) => {
        if (!ts.isCallExpression(expression) || !this.#isUse(expression)) return [];
        return [
          {
            call: expression,
            target: this.#compilation.symbolOfClass(node),
            targetName: node.name?.text ?? 'this class',
          },
        ];
      }),
    );
  }

  #statements(file: ts.SourceFile): DecoratorCall[] {
    return file.statements.flatMap((statement) => {
      const called = calledOnClass(statement);
      if (called === null || !this.#isUse(called.call)) return [];
      const { call, target } = called;
      return [{ call, target: this.#compilation.symbolAt(target), targetName: target.getText(file) }];
    });
  }

  #isUse(call: ts.CallExpression): boolean {
    return this.#compilation.symbolAt(call.expression) === this.#decorator;
  }
}
