/** Labels and annotations that svc puts on objects in a cluster. */
export const environmentLabel = 'svc.deploy/environment';
export const canaryAnnotation = 'svc.deploy/canary';
/** Who changes the service at the moment. */
export const claimAnnotation = 'svc.deploy/claim';
/** The version of a Deployment that had all traffic and was not taken back. */
export const servedAnnotation = 'svc.deploy/served';
export const criticalAnnotation = 'svc.deploy/critical';
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
