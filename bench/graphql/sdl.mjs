/** The schema that svc generated for the order, for the other subjects. */
import { createOrders } from '../http/svc/dist/index.js';

export const sdl = createOrders().registry.graphql?.sdl ?? '';
