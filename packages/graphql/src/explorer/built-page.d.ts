/** The files of the explorer, which `tools/pages` builds from `assets`. */
import type { PageFile } from '@svc/http/hosting';

export declare const files: Readonly<Record<'explorer.css' | 'explorer.js', PageFile>>;
