export interface Stage {
  readonly name: string | null;
  readonly steps: readonly { readonly instruction: string; readonly text: string }[];
}

export interface Container {
  readonly environment: Readonly<Record<string, string>>;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly entrypoint: readonly string[];
  readonly workdir: string;
}

export function readDockerfile(text: string): readonly Stage[];
export function containerOf(stages: readonly Stage[]): Container;
