/** After each test file. Services that tests started are stopped by then; the file must have stopped its other ones. */
import { afterAll } from 'vitest';
import { requireStoppedServices } from './running-services.js';

afterAll(requireStoppedServices);
