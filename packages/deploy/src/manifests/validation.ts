import { HTTPRoute, type IHTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1/HTTPRoute';
import { Deployment, type IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget, type IPodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { Service, type IService } from 'kubernetes-models/v1/Service';
import { DeployError, messageOf } from '../deploy-error.js';
import { unknownFields } from './known-fields.js';

/** A Kubernetes object that svc generates. */
export type Manifest = IDeployment | IService | IPodDisruptionBudget | IHTTPRoute;

interface Model {
  validate(): void;
}

/** The models with the schemas of Kubernetes. */
const models: Readonly<Record<string, (data: never) => Model>> = {
  'apps/v1 Deployment': (data) => new Deployment(data),
  'v1 Service': (data) => new Service(data),
  'policy/v1 PodDisruptionBudget': (data) => new PodDisruptionBudget(data),
  'gateway.networking.k8s.io/v1 HTTPRoute': (data) => new HTTPRoute(data),
};

/** Throws if an object is invalid: types and required fields by the schema, and unknown fields. */
export function requireValid(manifest: { readonly apiVersion: string; readonly kind: string }): void {
  const type = `${manifest.apiVersion} ${manifest.kind}`;
  const model = models[type];
  if (model === undefined) throw new DeployError('invalid', `Unknown object type ${type}.`);
  // Schemas and, by default, the API ignore unknown fields: a misspelled probe would be no probe.
  const unknown = unknownFields(manifest);
  if (unknown.length > 0) throw new DeployError('invalid', `${type} has an unknown field: ${unknown.join(', ')}.`);
  try {
    model(manifest as never).validate();
  } catch (error) {
    throw new DeployError('invalid', `${type} is not valid: ${messageOf(error)}`, { cause: error });
  }
}
