/** The files of the API page, which `tools/pages` builds from `assets`. */
import type { PageFile } from '../pages/index.js';

export declare const files: Readonly<Record<'page.css' | 'page.js', PageFile>>;
