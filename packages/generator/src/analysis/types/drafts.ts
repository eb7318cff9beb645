import { ts } from '../compiler.js';
import { constructionOf, isAbstract } from './classes.js';
import { descriptionOf } from './declared-names.js';
import { Scope, type Finding, type Site, type TypeDraft } from './draft.js';
import { isLenient } from './lenient-classes.js';
import type { Naming } from './names.js';
import { problem } from '../../diagnostics/index.js';
import type { TypeModel } from '../../model/index.js';
import type { TypeReader } from './type-reader.js';

/** Reads a named type: its parts and, for a class, how it is constructed. */
export function readDraft(type: ts.Type, naming: Naming, reader: TypeReader): TypeDraft {
  const { symbol, module } = naming;
  const scope = new Scope(
    reader.compilation,
    naming.isGeneric ? typeParametersOf(symbol) : undefined,
    isLenient(symbol, reader.compilation),
  );
  const declaration = symbol.declarations![0]!;
  const name = ts.getNameOfDeclaration(declaration) ?? declaration;
  const site: Site = { scope, where: naming.name, node: module === null || naming.isGeneric ? null : name };
  const exportName = module === null || naming.isGeneric ? null : reader.compilation.exportNameOf(symbol);
  const model = reader.readStructure(type, site);
  const isClass = ts.isClassLike(declaration);
  const construction = isClass ? constructionOf(symbol, reader.compilation.checker) : null;
  if (construction !== null && hasInitialised(model)) {
    const reason = whyNotConstructible(declaration, exportName, construction.withoutArguments);
    if (reason !== null) scope.reportAsPart(site, 'SVC1019', naming.name, reason);
  }
  return {
    id: naming.id,
    name: naming.name,
    module,
    exportName,
    isClass,
    constructorProperties: construction?.properties ?? [],
    description: descriptionOf(symbol),
    type: model,
    references: scope.references,
    secrets: scope.secrets,
    erasable: scope.erasable,
    findings: scope.findings,
    findingsAsPart: scope.findingsAsPart,
    findingsAsRoot: rootFindings(naming.name, construction, reader),
  };
}

function rootFindings(
  name: string,
  construction: ReturnType<typeof constructionOf> | null,
  { compilation }: TypeReader,
): Finding[] {
  if (construction === null || construction.obstacle === null) return [];
  const { reason, node } = construction.obstacle;
  const isOurs = compilation.paths.isBelowSourceRoot(node.getSourceFile().fileName);
  return [{ problem: problem('SVC1018', name, reason), at: isOurs ? compilation.locationOf(node) : null }];
}

function hasInitialised(model: TypeModel): boolean {
  return model.kind === 'object' && model.properties.some(({ presence }) => presence === 'initialised');
}

function whyNotConstructible(
  declaration: ts.Declaration,
  exportName: string | null,
  withoutArguments: boolean,
): string | null {
  if (exportName === null) return 'it is not exported by name from a module below the source root';
  if (ts.isClassLike(declaration) && isAbstract(declaration)) return 'it is abstract';
  return withoutArguments ? null : 'its constructor has required parameters';
}

function typeParametersOf(symbol: ts.Symbol): ReadonlySet<string> {
  const names = (symbol.declarations ?? []).flatMap((declaration) => {
    const isGeneric =
      ts.isClassLike(declaration) || ts.isInterfaceDeclaration(declaration) || ts.isTypeAliasDeclaration(declaration);
    return isGeneric ? (declaration.typeParameters ?? []).map(({ name }) => name.text) : [];
  });
  return new Set(names);
}
