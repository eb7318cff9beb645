import { ts } from './compiler.js';
import type { Compilation } from './compilation.js';
import { calledOnClass, classesOf } from './file-scan.js';

/** One use of `commandEndpoint`: as a decorator, or called on the class in a statement. */
export interface EndpointCall {
  readonly call: ts.CallExpression;
  /** The class it is for; undefined when the call names none. */
  readonly target: ts.Symbol | undefined;
  /** The class as it is written. */
  readonly targetName: string;
}

/** The uses of `commandEndpoint`, module by module. */
export class EndpointCalls {
  readonly #compilation: Compilation;
  readonly #byFile = new Map<ts.SourceFile, readonly EndpointCall[]>();

  constructor(compilation: Compilation) {
    this.#compilation = compilation;
  }

  in(file: ts.SourceFile): readonly EndpointCall[] {
    let calls = this.#byFile.get(file);
    if (calls === undefined) {
      calls = [...this.#decorators(file), ...this.#statements(file)];
      this.#byFile.set(file, calls);
    }
    return calls;
  }

  /** The result type that a command's endpoint declares. */
  resultOf(command: ts.Symbol): ts.Type | undefined {
    const file = command.valueDeclaration?.getSourceFile();
    const found = file === undefined ? undefined : this.in(file).find(({ target }) => target === command);
    const result = found?.call.typeArguments?.[1];
    return result === undefined ? undefined : this.#compilation.checker.getTypeFromTypeNode(result);
  }

  #decorators(file: ts.SourceFile): EndpointCall[] {
    return classesOf(file.statements).flatMap((node) =>
      (ts.getDecorators(node) ?? []).flatMap(({ expression }) => {
        if (!ts.isCallExpression(expression) || !this.#isCommandEndpoint(expression)) return [];
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

  #statements(file: ts.SourceFile): EndpointCall[] {
    return file.statements.flatMap((statement) => {
      const called = calledOnClass(statement);
      if (called === null || !this.#isCommandEndpoint(called.call)) return [];
      const { call, target } = called;
      return [{ call, target: this.#compilation.symbolAt(target), targetName: target.getText(file) }];
    });
  }

  #isCommandEndpoint(call: ts.CallExpression): boolean {
    return this.#compilation.symbolAt(call.expression) === this.#compilation.core.commandEndpoint;
  }
}
