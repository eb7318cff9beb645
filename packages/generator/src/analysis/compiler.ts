/**
 * The TypeScript compiler. Only this file imports it; it names everything the analysis uses, including a few internals. It is loaded
 * with `require`, which is 0.4 s faster than an import.
 */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type typescript from 'typescript';
import { requireCompiled } from './compiled-module.js';

const require = createRequire(import.meta.url);
const path = require.resolve('typescript');
const { version } = require('typescript/package.json') as { version: string };
const cacheFile = `../../../.cache/svc/typescript-${version}-node-${process.versions.v8}-${process.arch}`;
const loaded = requireCompiled(path, resolve(path, cacheFile)) as typeof typescript;

/** A copy, because the module's properties are getters and some are read a hundred thousand times. */
export const ts = { ...loaded };

export declare namespace ts {
  type CallExpression = typescript.CallExpression;
  type ClassDeclaration = typescript.ClassDeclaration;
  type ClassElement = typescript.ClassElement;
  type ClassLikeDeclaration = typescript.ClassLikeDeclaration;
  type CompilerHost = typescript.CompilerHost;
  type CompilerOptions = typescript.CompilerOptions;
  type ConstructorDeclaration = typescript.ConstructorDeclaration;
  type Declaration = typescript.Declaration;
  type Diagnostic = typescript.Diagnostic;
  type EntityName = typescript.EntityName;
  type ExportDeclaration = typescript.ExportDeclaration;
  type Expression = typescript.Expression;
  type ExpressionWithTypeArguments = typescript.ExpressionWithTypeArguments;
  type Identifier = typescript.Identifier;
  type ImportDeclaration = typescript.ImportDeclaration;
  type ImportEqualsDeclaration = typescript.ImportEqualsDeclaration;
  type JSDocParsingMode = typescript.JSDocParsingMode;
  type InterfaceDeclaration = typescript.InterfaceDeclaration;
  type InterfaceType = typescript.InterfaceType;
  type IntersectionType = typescript.IntersectionType;
  type LineAndCharacter = typescript.LineAndCharacter;
  type LiteralType = typescript.LiteralType;
  type NamedTupleMember = typescript.NamedTupleMember;
  type ModuleResolutionCache = typescript.ModuleResolutionCache;
  type Node = typescript.Node;
  type ObjectType = typescript.ObjectType;
  type ParameterDeclaration = typescript.ParameterDeclaration;
  type PropertyDeclaration = typescript.PropertyDeclaration;
  type Program = typescript.Program;
  type ResolvedModuleWithFailedLookupLocations = typescript.ResolvedModuleWithFailedLookupLocations;
  type ResolutionMode = typescript.ResolutionMode;
  type ResolvedProjectReference = typescript.ResolvedProjectReference;
  type Signature = typescript.Signature;
  type SourceFile = typescript.SourceFile;
  type Statement = typescript.Statement;
  type StringLiteralLike = typescript.StringLiteralLike;
  type Symbol = typescript.Symbol;
  type TupleType = typescript.TupleType;
  type Type = typescript.Type;
  type TypeChecker = typescript.TypeChecker;
  type TypeFlags = typescript.TypeFlags;
  type TypeNode = typescript.TypeNode;
  type TypeReference = typescript.TypeReference;
  type UnionType = typescript.UnionType;
  type __String = typescript.__String;
}

/** Whether this is the type of something that cannot be resolved; it otherwise looks like `any`. */
export function isErrorType(type: ts.Type): boolean {
  return (type.flags & ts.TypeFlags.Any) !== 0 && (type as { intrinsicName?: string }).intrinsicName === 'error';
}

/** The parts of a union as written: a named union stays one part, where `types` has only its members. */
export function writtenParts(type: ts.UnionType): readonly ts.Type[] {
  const { origin } = type as { origin?: ts.Type };
  return origin?.isUnion() === true ? origin.types : type.types;
}

export function syntaxErrorsOf(file: ts.SourceFile): readonly ts.Diagnostic[] {
  return (file as { parseDiagnostics?: readonly ts.Diagnostic[] }).parseDiagnostics ?? [];
}

export function hasDocComment(node: ts.Node): boolean {
  return (node as { jsDoc?: readonly ts.Node[] }).jsDoc !== undefined;
}

/** How the compiler options decide whether a parsed file is a module. */
export function moduleIndicatorOf(options: ts.CompilerOptions): (file: ts.SourceFile) => void {
  type Internals = { getSetExternalModuleIndicator(options: ts.CompilerOptions): (file: ts.SourceFile) => void };
  return (ts as typeof ts & Internals).getSetExternalModuleIndicator(options);
}
