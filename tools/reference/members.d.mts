/** The names of options that packages export, each once, with an entry point that has it. */
export function exportedOptions(root: string): readonly { readonly name: string; readonly specifier: string }[];
