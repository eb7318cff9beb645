/** The schema that svc has generated for the order, for its peers. */
import { createOrders } from '../http/svc/dist/index.js';

export const sdl = createOrders().registry.graphql?.sdl ?? '';
