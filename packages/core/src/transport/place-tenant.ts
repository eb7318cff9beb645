import type { MessageRejectedError } from './message-rejected-error.js';

/** Prepares the database of a tenant for its messages; resolves with the reason if this host has no database for the tenant. */
export type PlaceTenant = (tenant: string) => MessageRejectedError | null | Promise<MessageRejectedError | null>;

/** For a service with one database, which holds the data of all tenants. */
export const everyTenant: PlaceTenant = () => null;
