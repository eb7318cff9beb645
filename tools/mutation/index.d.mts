export interface Mutant {
  readonly number: number;
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  readonly before: string;
  readonly after: string;
}

export interface Equivalent {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  readonly reason: string;
}

export interface JudgedMutant extends Mutant {
  readonly status: 'killed' | 'survived' | 'timeout' | 'not covered' | 'equivalent' | 'not judged';
  /** The test file that noticed the mutant. */
  readonly by?: string | null;
  readonly failure?: string | null;
}

export interface MutationOptions {
  readonly targets: readonly string[];
  readonly sample: number | null;
  readonly seed: number;
  readonly workers: number;
  readonly seconds: number;
  readonly minutes: number;
  readonly tests: readonly string[] | null;
  readonly postgres: boolean;
  readonly json: string | null;
}

export interface MutationResult {
  readonly seed: number | null;
  readonly mutants: readonly JudgedMutant[];
  /** `ignored`: tests that fail without a mutant as well. */
  readonly testFiles: readonly { readonly file: string; readonly ms: number; readonly ignored: readonly string[] }[];
  readonly excluded: readonly { readonly file: string; readonly reason: string }[];
}

export interface Source {
  readonly file: string;
  readonly code: string;
  readonly first: number;
}

export interface ParsedMutants {
  readonly source: string;
  readonly mutants: readonly {
    readonly operator: string;
    readonly line: number;
    readonly start: number;
    readonly end: number;
    readonly replacement: string;
  }[];
}

export function isSame(listed: Equivalent, mutant: Mutant): boolean;
export function readEquivalents(): readonly Equivalent[];
export function instrument(parsed: ParsedMutants, firstNumber: number): string;
export function mutantsOf(source: string, file: string): ParsedMutants;
export function readOptions(args: readonly string[]): MutationOptions;
export function summaryOf(mutants: readonly JudgedMutant[]): Readonly<Record<string, number | null>>;
export function reportOf(result: MutationResult, seconds: number): string;
export function numberedMutants(source: Source): readonly Mutant[];
export function readSources(root: string): readonly Source[];
export function sampleOf(mutants: readonly Mutant[], size: number, seed: number): readonly Mutant[];
/** `graceMs`: what a test file may take longer with a mutant. */
export function mutate(
  root: string,
  options: MutationOptions & {
    readonly variant?: string;
    readonly equivalents?: readonly Equivalent[];
    readonly graceMs?: number;
  },
): Promise<MutationResult>;
