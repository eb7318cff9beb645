import { ts } from './compiler.js';

/** The exports of `@svc/core` that the generator recognizes. Compared by symbol, so that an interface of the same name does not match. */
export interface CoreSymbols {
  /** The package itself. */
  readonly module: ts.Symbol;
  readonly command: ts.Symbol;
  readonly event: ts.Symbol;
  readonly systemEvent: ts.Symbol;
  readonly receptor: ts.Symbol;
  readonly decider: ts.Symbol;
  /** The decorator of deciders with snapshots. */
  readonly snapshotDecorator: ts.Symbol;
  readonly perspective: ts.Symbol;
  /** The decorator of perspectives. */
  readonly perspectiveDecorator: ts.Symbol;
  readonly reaction: ts.Symbol;
  /** The decorator of reactions. */
  readonly reactionDecorator: ts.Symbol;
  readonly process: ts.Symbol;
  /** The decorator of processes. */
  readonly processDecorator: ts.Symbol;
  readonly dispatcher: ts.Symbol;
  readonly emitter: ts.Symbol;
  readonly commandEndpoint: ts.Symbol;
  readonly recurring: ts.Symbol;
  readonly lenient: ts.Symbol;
  readonly storedAs: ts.Symbol;
  /** The name of the property that carries constraints such as `Min<1>`. */
  readonly constraintsKey: ts.__String;
  /** The name of the property that distinguishes `Uuid` and `Decimal`. */
  readonly brandKey: ts.__String;
}

/** Undefined if the file does not export all of them. */
export function readCoreSymbols(file: ts.SourceFile, checker: ts.TypeChecker): CoreSymbols | undefined {
  const module = checker.getSymbolAtLocation(file);
  if (module === undefined) return undefined;
  const exported = (name: string): ts.Symbol | undefined => {
    const symbol = checker.tryGetMemberInModuleExports(name, module);
    return symbol === undefined ? undefined : resolveAlias(symbol, checker);
  };
  const keyOf = (name: string): ts.__String | undefined => {
    const symbol = exported(name);
    const type = symbol === undefined ? undefined : checker.getDeclaredTypeOfSymbol(symbol);
    const parts = type?.isIntersection() === true ? type.types : [];
    const brand = parts.find((part) => (part.flags & ts.TypeFlags.Object) !== 0);
    return brand === undefined ? undefined : checker.getPropertiesOfType(brand)[0]?.escapedName;
  };
  const command = exported('Command');
  const event = exported('Event');
  const systemEvent = exported('SystemEvent');
  const receptor = exported('Receptor');
  const decider = exported('Decider');
  const snapshotDecorator = exported('snapshot');
  const perspective = exported('Perspective');
  const perspectiveDecorator = exported('perspective');
  const reaction = exported('Reaction');
  const reactionDecorator = exported('reaction');
  const process = exported('Process');
  const processDecorator = exported('process');
  const dispatcher = exported('Dispatcher');
  const emitter = exported('SystemEventEmitter');
  const commandEndpoint = exported('commandEndpoint');
  const recurring = exported('recurring');
  const lenient = exported('lenient');
  const storedAs = exported('storedAs');
  const constraintsKey = keyOf('Int');
  const brandKey = keyOf('Uuid');
  if (command === undefined || event === undefined || systemEvent === undefined || receptor === undefined) return;
  if (perspective === undefined || dispatcher === undefined || emitter === undefined) return;
  if (decider === undefined || snapshotDecorator === undefined || recurring === undefined) return;
  if (lenient === undefined || commandEndpoint === undefined || perspectiveDecorator === undefined) return;
  if (reaction === undefined || reactionDecorator === undefined) return;
  if (process === undefined || processDecorator === undefined || storedAs === undefined) return;
  if (constraintsKey === undefined || brandKey === undefined) return;
  return {
    module,
    command,
    event,
    systemEvent,
    receptor,
    decider,
    snapshotDecorator,
    perspective,
    perspectiveDecorator,
    reaction,
    reactionDecorator,
    process,
    processDecorator,
    dispatcher,
    emitter,
    commandEndpoint,
    recurring,
    lenient,
    storedAs,
    constraintsKey,
    brandKey,
  };
}

export function resolveAlias(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol;
}
