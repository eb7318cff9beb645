import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { imports, ServiceFixture } from '../../analysis/testing/service-fixture.js';
import { formatDiagnostic } from '../../diagnostics/index.js';
import type { ServiceModel } from '../../model/index.js';
import { DocumentFiles } from '../document-files.js';
import { readDocuments, type DocumentsResult } from '../documents.js';

const shop = `
export type Size = 'S' | 'M';
export interface Boxed { kind: 'boxed'; at: Date; size: Size }
export interface Loose { kind: 'loose'; pieces: Int; tags: Set<string> }
export type Packing = Boxed | Loose;
export interface Item {
  itemId: Uuid;
  /** What it costs. */
  price: Decimal;
  label: 'in-stock' | 'sold out';
  soldAt?: Date;
  tags: Set<string>;
  days: Record<string, Date>;
  range: [Int, Date];
  anything: unknown;
  packing: Packing;
  parts: Item[];
}
export class ItemHappened implements Event { a!: string }
@perspective({ graphQLQuery: 'item', graphQLListQuery: 'items', indexed: ['price'] })
export class ItemPerspective implements Perspective<Item, ItemHappened> { apply(): never { throw 1; } }
@commandEndpoint<Buy, void>({ graphQLMutation: 'buy' })
export class Buy implements Command { itemId!: Uuid; at?: Date; packing!: Packing; note: string | null = null; sizes!: Set<Size> }
@commandEndpoint<Count, Int>({ graphQLMutation: 'count' })
export class Count implements Command { what!: string }
`;

/** Sources by their paths. */
export type Texts = Readonly<Record<string, string>>;

/** A small service and a folder with documents of a caller. */
export class DocumentsFixture extends ServiceFixture {
  readonly web: string = join(this.directory, 'web');
  readonly service: ServiceModel;

  constructor() {
    super({ 'src/shop.ts': imports + shop });
    this.service = this.#model();
  }

  /** The model of another service. */
  serviceOf(source: string): ServiceModel {
    this.replaceSources({ 'src/shop.ts': imports + source });
    return this.#model();
  }

  files(texts: Texts): DocumentFiles {
    rmSync(this.web, { recursive: true, force: true });
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(this.web, path)), { recursive: true });
      writeFileSync(join(this.web, path), text);
    }
    return new DocumentFiles([this.web], 'shop-documents', join(this.web, 'api/shop-documents.ts'));
  }

  read(texts: Texts, service: ServiceModel = this.service): DocumentsResult {
    return readDocuments(service, this.files(texts).read(), (file) => file.slice(this.web.length + 1));
  }

  problems(texts: Texts, service?: ServiceModel): string[] {
    return this.read(texts, service).diagnostics.map((found) => formatDiagnostic(found));
  }

  #model(): ServiceModel {
    const { model, diagnostics } = this.analyze();
    const [first] = diagnostics;
    if (first !== undefined) throw new Error(formatDiagnostic(first));
    return model;
  }
}
