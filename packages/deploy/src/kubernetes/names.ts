/** Labels and annotations that svc puts on objects in a cluster. */
export const environmentLabel = 'svc.deploy/environment';
export const canaryAnnotation = 'svc.deploy/canary';
export const criticalAnnotation = 'svc.deploy/critical';
export const revisionAnnotation = 'deployment.kubernetes.io/revision';
