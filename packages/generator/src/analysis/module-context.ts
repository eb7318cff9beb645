import { problem, type Diagnostic, type DiagnosticCode, type DiagnosticNames } from '../diagnostics/index.js';
import type { ts } from './compiler.js';
import type { Compilation } from './compilation.js';
import type { DecoratorCalls } from './decorator-calls.js';
import type { OptionText } from './decorator-options.js';
import type { Located, ResultFact } from './facts.js';
import type { Heritage } from './heritage.js';
import { diagnosticAt } from './locations.js';
import { Scope, type TypeConverter } from './types/index.js';

/** Shared state of reading all modules of one program. */
export interface ProgramContext {
  readonly compilation: Compilation;
  readonly heritage: Heritage;
  /** The uses of `commandEndpoint`. */
  readonly endpointCalls: DecoratorCalls;
  /** The uses of `perspective`. */
  readonly perspectiveCalls: DecoratorCalls;
  /** The uses of `recurring`. */
  readonly recurringCalls: DecoratorCalls;
  /** The uses of `storedAs`. */
  readonly storedAsCalls: DecoratorCalls;
  /** The uses of `snapshot`. */
  readonly snapshotCalls: DecoratorCalls;
  readonly reactionCalls: DecoratorCalls;
  readonly processCalls: DecoratorCalls;
  readonly types: TypeConverter;
}

/** State of reading one module. */
export class ModuleContext {
  readonly program: ProgramContext;
  readonly file: ts.SourceFile;
  readonly module: string;
  readonly diagnostics: Diagnostic[] = [];
  /** Ids of the named types that the module's facts refer to. */
  readonly typeIds = new Set<string>();

  constructor(program: ProgramContext, file: ts.SourceFile, module: string) {
    this.program = program;
    this.file = file;
    this.module = module;
  }

  get compilation(): Compilation {
    return this.program.compilation;
  }

  get checker(): ts.TypeChecker {
    return this.program.compilation.checker;
  }

  report<TCode extends DiagnosticCode>(node: ts.Node, code: TCode, ...names: DiagnosticNames<TCode>): void {
    this.diagnostics.push(diagnosticAt(this.compilation.locationOf(node), problem(code, ...names)));
  }

  located(text: OptionText | null): Located<string> | null {
    return text === null ? null : { value: text.value, at: this.compilation.locationOf(text.node) };
  }

  /** Reads a message or request class and returns the id of its type. */
  readClass(type: ts.Type): string {
    const id = this.program.types.readClass(type);
    this.typeIds.add(id);
    return id;
  }

  /** Reads the result of a command or the model of a perspective. `where` names it, and `node` is its location. */
  readResult(type: ts.Type, where: string, node: ts.Node): ResultFact {
    const scope = new Scope(this.compilation);
    const model = this.program.types.readResult(type, { scope, where, node });
    for (const { id } of scope.references) this.typeIds.add(id);
    const { references, secrets, erasable, findings } = scope;
    return { type: model, references, secrets, erasable, findings };
  }
}
