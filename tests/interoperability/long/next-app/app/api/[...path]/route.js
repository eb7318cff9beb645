/** Every path below /api, as docs/guides/hosts.md describes it. */
import { ordersHandler } from '../../../../orders-handler.mjs';

const handler = await ordersHandler('/api');

export { handler as GET, handler as POST };
