/** Labels and annotations that svc puts on objects in a cluster. */
export const environmentLabel = 'svc.deploy/environment';
export const canaryAnnotation = 'svc.deploy/canary';
/** Who changes the service at the moment. */
export const claimAnnotation = 'svc.deploy/claim';
/** The version of a Deployment that had all traffic and was not taken back. */
export const servedAnnotation = 'svc.deploy/served';
export const criticalAnnotation = 'svc.deploy/critical';
export const revisionAnnotation = 'deployment.kubernetes.io/revision';

/** Says to a container which environment it is of, so that its metrics can tell. */
export const environmentVariable = 'SVC_ENVIRONMENT';
/** What the manifests set in every container. */
export const ownVariables: readonly string[] = ['HOST', 'PORT', 'DRAIN_NOTICE_MS', environmentVariable];
