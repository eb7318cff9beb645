import type { MessageKind } from '../model/index.js';
import { ts } from './compiler.js';
import type { Compilation } from './compilation.js';
import { heritageOf } from './file-scan.js';

/** What classes and interfaces extend and implement, followed by symbol to the interfaces of core. */
export class Heritage {
  readonly #compilation: Compilation;
  readonly #kinds = new Map<ts.Symbol, ReadonlySet<MessageKind>>();

  constructor(compilation: Compilation) {
    this.#compilation = compilation;
  }

  /** The markers of a class or interface, direct and inherited: a system event is also an event. */
  kindsOf(symbol: ts.Symbol): ReadonlySet<MessageKind> {
    const known = this.#kinds.get(symbol);
    if (known !== undefined) return known;
    const found = new Set<MessageKind>();
    this.#kinds.set(symbol, found);
    const { core } = this.#compilation;
    if (symbol === core.command) found.add('command');
    if (symbol === core.event) found.add('event');
    if (symbol === core.systemEvent) found.add('systemEvent');
    for (const base of this.#basesOf(symbol)) for (const kind of this.kindsOf(base)) found.add(kind);
    return found;
  }

  /** The type arguments of every reference to the core interface `of` that a class implements, directly or through others. */
  argumentsOf(
    node: ts.ClassLikeDeclaration | ts.InterfaceDeclaration,
    of: ts.Symbol,
    given: TypeArguments = new Map(),
  ): (readonly ts.Type[])[] {
    const { checker } = this.#compilation;
    return heritageOf(node).flatMap((reference) => {
      const symbol = this.#compilation.symbolAt(reference.expression);
      if (symbol === undefined || !this.#leadsTo(of, symbol)) return [];
      if ((symbol.flags & ts.SymbolFlags.TypeAlias) !== 0) return this.#argumentsIn(reference, of, given);
      const values = this.#writtenArguments(reference).map((value) => given.get(value) ?? value);
      if (symbol === of) return [values];
      const parameters = (checker.getDeclaredTypeOfSymbol(symbol) as ts.InterfaceType).typeParameters ?? [];
      const inner: TypeArguments = new Map(parameters.map((parameter, i) => [parameter, values[i] ?? parameter]));
      return classesAndInterfaces(symbol).flatMap((declaration) => this.argumentsOf(declaration, of, inner));
    });
  }

  /** What a type alias refers to, if that is the interface of core. */
  #argumentsIn(reference: ts.ExpressionWithTypeArguments, of: ts.Symbol, given: TypeArguments): ts.Type[][] {
    const { checker } = this.#compilation;
    const type = checker.getTypeAtLocation(reference);
    return (type.isIntersection() ? type.types : [type])
      .filter((part) => part.symbol === of)
      .map((part) => checker.getTypeArguments(part as ts.TypeReference).slice(0, 2))
      .map((values) => values.map((value) => given.get(value) ?? value));
  }

  #writtenArguments(reference: ts.ExpressionWithTypeArguments): readonly ts.Type[] {
    return (reference.typeArguments ?? []).map((node) => this.#compilation.checker.getTypeFromTypeNode(node));
  }

  #leadsTo(target: ts.Symbol, symbol: ts.Symbol, seen = new Set<ts.Symbol>()): boolean {
    if (symbol === target) return true;
    if (seen.has(symbol)) return false;
    seen.add(symbol);
    return this.#basesOf(symbol).some((base) => this.#leadsTo(target, base, seen));
  }

  #basesOf(symbol: ts.Symbol): ts.Symbol[] {
    if ((symbol.flags & ts.SymbolFlags.TypeAlias) !== 0) {
      const type = this.#compilation.checker.getDeclaredTypeOfSymbol(symbol);
      return (type.isIntersection() ? type.types : [type])
        .map((part) => part.symbol)
        .filter((base) => base !== undefined && base !== symbol);
    }
    return classesAndInterfaces(symbol)
      .flatMap(heritageOf)
      .map(({ expression }) => this.#compilation.symbolAt(expression))
      .filter((base) => base !== undefined);
  }
}

/** The type arguments of a generic base. */
type TypeArguments = ReadonlyMap<ts.Type, ts.Type>;

function classesAndInterfaces(symbol: ts.Symbol): (ts.ClassLikeDeclaration | ts.InterfaceDeclaration)[] {
  return (symbol.declarations ?? []).filter((node) => ts.isClassLike(node) || ts.isInterfaceDeclaration(node));
}
