/** Labels and annotations that svc puts on objects in a cluster. */
export const environmentLabel = 'svc.deploy/environment';
export const canaryAnnotation = 'svc.deploy/canary';
/** The controller that currently changes the service. */
export const claimAnnotation = 'svc.deploy/claim';
/** The version of a Deployment that had all traffic and was not reverted. */
export const servedAnnotation = 'svc.deploy/served';
export const criticalAnnotation = 'svc.deploy/critical';
export const revisionAnnotation = 'deployment.kubernetes.io/revision';

/** Passes the environment to the container, for its metrics. */
export const environmentVariable = 'SVC_ENVIRONMENT';
/** The variables that the manifests set in every container. */
export const ownVariables: readonly string[] = ['HOST', 'PORT', 'DRAIN_NOTICE_MS', environmentVariable];
