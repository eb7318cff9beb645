import type { Storage } from '@svc/core/storage';

/** The program of all simulated processes. */
export interface Program {
  readonly exports: object;
}

/** The variables of one module. */
export interface ModuleVariables {
  readonly create: () => unknown[];
  readonly read: (values: unknown[]) => void;
  readonly write: (values: unknown[]) => void;
}

export interface Step {
  readonly at: number;
  readonly kind: string;
  readonly host?: string | null;
}

export interface Plan {
  readonly seed: number;
  readonly hosts: readonly { readonly name: string; readonly service: string; readonly skewMs: number }[];
  readonly hasTicks: boolean;
  readonly steps: readonly Step[];
}

export interface Violation {
  readonly invariant: string;
  readonly text: string;
}

export interface RunResult {
  readonly violations: readonly Violation[];
  readonly commands: number;
  readonly events: number;
  readonly seconds: number;
  readonly lines: readonly string[];
}

export interface Failure {
  readonly seed: number;
  readonly invariant: string;
  readonly violations: readonly Violation[];
  readonly steps: number;
  readonly plan: Plan;
  readonly tries: number;
}

export interface SimulationResult {
  readonly seeds: number;
  readonly commands: number;
  readonly events: number;
  readonly virtualSeconds: number;
  readonly cpuSeconds: number;
  readonly failures: readonly Failure[];
}

export class ModuleState {
  constructor(modules: readonly ModuleVariables[]);
  enter(): void;
  leave(): void;
}
export function withState(module: string): string;
export const invariants: readonly string[];
export function localDatabase(): () => Storage;
export function readOptions(args: readonly string[]): { readonly seeds: number; readonly seed: number };
export function planOf(seed: number): Plan;
export function loadProgram(options?: {
  readonly core?: string;
  readonly changes?: readonly { readonly file: string; readonly edit: (text: string) => string }[];
}): Promise<Program>;
export function failureText(failure: Failure): string;
export function reportOf(result: SimulationResult): string;
export function run(program: Program, plan: Plan, options?: { readonly hasStacks?: boolean }): Promise<RunResult>;
export function shrunk(
  plan: Plan,
  violates: (plan: Plan) => Promise<boolean>,
  limits?: { readonly tries?: number; readonly ms?: number },
): Promise<{ readonly plan: Plan; readonly tries: number }>;
export function simulate(
  program: Program,
  options: { readonly seed: number; readonly seeds: number; readonly minutes?: number; readonly shrinks?: boolean },
): Promise<SimulationResult>;
