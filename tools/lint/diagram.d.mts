/** The diagram of docs/architecture.md. */
export function importDiagram(): string;
