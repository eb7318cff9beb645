import { describe, expect, it } from 'vitest';
import { deployConfig } from './deploy-config.js';

const haproxy = { socket: 'run/haproxy.sock', blue: ['127.0.0.1:3001'], green: ['127.0.0.1:3002'] };
const kubernetes = { image: 'registry.example/orders' };

describe('deploy.json', () => {
  it('requires only a name and a platform', () => {
    expect(deployConfig({ service: 'orders', haproxy }, '/srv')).toMatchObject({
      critical: true,
      instances: 1,
      header: 'x-svc-version',
      haproxy: { socket: '/srv/run/haproxy.sock', state: '/srv/.svc/deploy', probe: '/health/ready' },
    });
    expect(deployConfig({ service: 'orders', kubernetes }, '/srv')).toMatchObject({
      instances: 10,
      kubernetes: { namespace: 'default', container: 'orders', port: 3000 },
    });
  });

  it('reads the variables, secrets and files of the containers in a cluster', () => {
    const given = {
      env: { LOG_LEVEL: 'info', DATABASE_URL: { secret: 'orders-app', key: 'uri' }, A: { configMap: 'a', key: 'b.c' } },
      envFrom: [{ secret: 'orders' }, { configMap: 'orders' }],
      files: [{ configMap: 'orders-flags', path: '/etc/orders' }],
    };
    expect(
      deployConfig({ service: 'orders', kubernetes: { ...kubernetes, ...given } }, '/srv').kubernetes,
    ).toMatchObject({
      env: {
        LOG_LEVEL: 'info',
        DATABASE_URL: { kind: 'secret', name: 'orders-app', key: 'uri' },
        A: { kind: 'configMap', name: 'a', key: 'b.c' },
      },
      envFrom: [
        { kind: 'secret', name: 'orders' },
        { kind: 'configMap', name: 'orders' },
      ],
      files: [{ kind: 'configMap', name: 'orders-flags', path: '/etc/orders' }],
    });
  });

  it.each([
    [
      { env: { 'LOG-LEVEL': 'info' } },
      'deploy.kubernetes.env.LOG-LEVEL is not a valid name of an environment variable.',
    ],
    [{ env: { PORT: '3001' } }, 'deploy.kubernetes.env.PORT cannot be set: svc sets it.'],
    [{ env: { METRICS: 1 } }, 'deploy.kubernetes.env.METRICS must be a string or an object.'],
    [{ env: { A: { secret: 'a' } } }, 'deploy.kubernetes.env.A.key must be a string.'],
    [
      { env: { A: { secret: 'a', configMap: 'b', key: 'c' } } },
      'deploy.kubernetes.env.A must have either secret or configMap.',
    ],
    [{ env: { A: { secret: 'a', key: 'b', value: 'c' } } }, 'deploy.kubernetes.env.A has an unknown setting: value.'],
    [{ envFrom: [{ secret: 'Orders' }] }, 'deploy.kubernetes.envFrom[0].secret is not valid in Kubernetes: "Orders".'],
    [{ envFrom: [{}] }, 'deploy.kubernetes.envFrom[0] must have either secret or configMap.'],
    [{ files: [{ secret: 'a', path: 'etc' }] }, 'deploy.kubernetes.files[0].path is not valid in Kubernetes: "etc".'],
    [{ files: [{ secret: 'a', path: '/etc/../x' }] }, 'deploy.kubernetes.files[0].path is not valid'],
    [{ files: [{ secret: 'a', path: '/tmp' }] }, 'deploy.kubernetes.files[0].path cannot be /tmp'],
    [
      { files: ['secret', 'configMap'].map((kind) => ({ [kind]: 'a', path: '/etc/a' })) },
      'deploy.kubernetes.files contains the same path twice.',
    ],
  ])('rejects an invalid container setting: %j', (given, message) => {
    const value = { service: 'orders', kubernetes: { ...kubernetes, ...given } };
    expect(() => deployConfig(value, '/srv')).toThrow(message);
  });

  it.each([
    [{ haproxy }, 'deploy.service must be a string.'],
    [{ service: 'Orders!', haproxy }, 'deploy.service must consist of lower-case letters'],
    [{ service: 'orders' }, 'deploy must have one platform'],
    [{ service: 'orders', haproxy, kubernetes }, 'deploy must have one platform'],
    [{ service: 'orders', haproxy, critcal: true }, 'deploy has an unknown setting: critcal.'],
    [{ service: 'orders', haproxy: { ...haproxy, prob: '/x' } }, 'deploy.haproxy has an unknown setting: prob.'],
    [{ service: 'orders', haproxy, instances: -1 }, 'deploy.instances must be a number of at least 0.'],
  ])('rejects %j', (value, message) => expect(() => deployConfig(value, '/srv')).toThrow(message));
});
