import { ServiceError } from '../../errors/index.js';

/** The error of a stored event that no class of this host can read. It was stored, so a class had its type. */
export function typeWithoutClass(type: string): ServiceError {
  const name = type.slice(type.lastIndexOf('.') + 1);
  return new ServiceError(
    'SVC_UNKNOWN_MESSAGE',
    `Cannot read a stored event of type ${type}: no class of this service has this type any more. The class was renamed, moved to another namespace or removed. Write @storedAs('${type}') above its new class, or restore the class ${name} and the namespace in package.json, then run "svc generate".`,
  );
}
