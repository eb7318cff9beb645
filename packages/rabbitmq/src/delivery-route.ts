/** The origin of a delivery, as proved by the broker. */
export interface DeliveryRoute {
  readonly destination: string;
  readonly routedType: string | null;
}
