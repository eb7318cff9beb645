export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  readonly license?: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly sideEffects?: boolean | readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly imports?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface PublishedPackage {
  readonly folder: string;
  readonly manifest: Manifest;
  /** The names of the other packages that it needs. */
  readonly needs: readonly string[];
}

export function publishedPackages(root: string): readonly PublishedPackage[];
export function rangesOf(manifest: Manifest): Readonly<Record<string, string>>;
