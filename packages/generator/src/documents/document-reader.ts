import { basename } from 'node:path';
import { ProjectPaths, type Project, type ProjectDocuments } from '../analysis/index.js';
import type { ServiceModel } from '../model/index.js';
import { DocumentFiles } from './document-files.js';
import { readDocuments, type DocumentsResult } from './documents.js';

/** Reads the documents of a project repeatedly. Checks them again only if they or the service have changed. */
export class DocumentReader {
  readonly #files: DocumentFiles;
  readonly #paths: ProjectPaths;
  #last: { readonly model: ServiceModel; readonly found: string; readonly result: DocumentsResult } | undefined;

  constructor(project: Project, { folders, file }: ProjectDocuments) {
    this.#files = new DocumentFiles(folders, basename(file, '.ts'), file);
    this.#paths = new ProjectPaths(project);
  }

  /** The same result for the same documents and the same model. */
  read(model: ServiceModel): DocumentsResult {
    const texts = this.#files.read();
    const found = JSON.stringify(texts);
    if (this.#last?.model === model && this.#last.found === found) return this.#last.result;
    const result = readDocuments(model, texts, (file) => this.#paths.shown(file));
    this.#last = { model, found, result };
    return result;
  }
}
