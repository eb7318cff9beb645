import { describe, expect, it } from 'vitest';
import { deployConfig } from './deploy-config.js';

const haproxy = { socket: 'run/haproxy.sock', blue: ['127.0.0.1:3001'], green: ['127.0.0.1:3002'] };
const kubernetes = { image: 'registry.example/orders' };

describe('deploy.json', () => {
  it('needs little: a name and a platform', () => {
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

  it.each([
    [{ haproxy }, 'deploy.service has to be text.'],
    [{ service: 'Orders!', haproxy }, 'deploy.service has to be lower-case letters'],
    [{ service: 'orders' }, 'deploy needs one platform'],
    [{ service: 'orders', haproxy, kubernetes }, 'deploy needs one platform'],
    [{ service: 'orders', haproxy, critcal: true }, 'deploy has no setting critcal.'],
    [{ service: 'orders', haproxy: { ...haproxy, prob: '/x' } }, 'deploy.haproxy has no setting prob.'],
    [{ service: 'orders', haproxy, instances: -1 }, 'deploy.instances has to be a number of at least 0.'],
  ])('refuses %j', (value, message) => expect(() => deployConfig(value, '/srv')).toThrow(message));
});
