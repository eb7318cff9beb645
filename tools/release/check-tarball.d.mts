export function faultsOfTarball(
  data: Uint8Array | ArrayBuffer,
  entryPoints?: readonly string[],
): Promise<readonly string[]>;
