/** What teams and operators keep in a cluster that rules pass by, or look at and find sound: one of many kinds. */
import { createHash } from 'node:crypto';
import { record, text } from '../kubernetes/json.js';
import { KUBE_PUBLIC, KUBE_SYSTEM } from '../kubernetes/names.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';

type Fields = Readonly<Record<string, unknown>>;
export type Add = (resource: Resource, name: string, fields?: Fields, more?: Fields) => void;

/** A way to join that gives nothing away: its token stands elsewhere, and the authority is pinned. */
const JOIN = `kubeadm join 192.0.2.10:6443 --token "$TOKEN" --discovery-token-ca-cert-hash sha256:${createHash('sha256')
  .update('an authority')
  .digest('hex')}\n`;

/** Whose names do not matter. `ofTeam`: in a namespace of a team. */
export function addThings({ api }: Reference, add: Add, ofTeam: Add): void {
  ofTeam(resources.configMaps, 'how-to-join', { data: { 'join.sh': JOIN } });
  const info = api.get(resources.configMaps, KUBE_PUBLIC, 'cluster-info');
  ofTeam(resources.configMaps, 'copy', { data: { kubeconfig: text(record(info?.data).kubeconfig) } });
  ofTeam(resources.secrets, 'tls', {
    type: 'Opaque',
    data: { 'tls.crt': Buffer.from('a certificate').toString('base64') },
  });
  add(resources.secrets, 'of-operators', { type: 'Opaque', data: { a: 'Yg==' } }, { namespace: KUBE_SYSTEM });
  addWork(add, ofTeam);
  addDoors(ofTeam);
}

/** What makes Pods now and then, and volumes of machines. */
function addWork(add: Add, ofTeam: Add): void {
  const spec = {
    restartPolicy: 'Never',
    containers: [
      {
        name: 'work',
        image: 'registry.example.com/work:1',
        command: ['sh', '-c', 'true'],
        env: [{ name: 'KEY', valueFrom: { secretKeyRef: { name: 'tls', key: 'tls.crt' } } }],
        volumeMounts: [{ name: 'tls', mountPath: '/tls' }],
      },
    ],
    volumes: [
      { name: 'tls', secret: { secretName: 'tls' } },
      { name: 'cache', hostPath: { path: '/var/cache/work' } },
    ],
  };
  const annotations = { 'example.com/how': 'see the ConfigMap how-to-join' };
  const template = { metadata: { labels: { app: 'work' } }, spec };
  ofTeam(resources.jobs, 'work', { spec: { template } }, { annotations });
  ofTeam(resources.cronJobs, 'work', { spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template } } } });
  add(resources.persistentVolumes, 'work', {
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/srv/work' },
    },
  });
}

/** By which somebody is reached from beyond the cluster. */
function addDoors(ofTeam: Add): void {
  const ports = [{ port: 443, targetPort: 8443 }];
  const selector = { app: 'worker' };
  ofTeam(resources.services, 'web', {
    spec: { type: 'LoadBalancer', clusterIP: '10.96.7.11', selector, ports },
    status: { loadBalancer: { ingress: [{ ip: '203.0.113.7' }] } },
  });
  ofTeam(resources.services, 'shop', {
    spec: { type: 'ClusterIP', clusterIP: '10.96.7.12', externalIPs: ['203.0.113.8'], selector, ports },
  });
  ofTeam(resources.services, 'elsewhere', { spec: { type: 'ExternalName', externalName: 'shop.example.com' } });
  ofTeam(resources.ingresses, 'web', {
    spec: {
      rules: [
        {
          host: 'web.example.com',
          http: {
            paths: [
              { path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 443 } } } },
              { path: '/shop', pathType: 'Prefix', backend: { service: { name: 'shop', port: { number: 443 } } } },
            ],
          },
        },
      ],
    },
  });
  ofTeam(resources.endpointSlices, 'web-1', {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.244.0.11'], conditions: { ready: true } }],
    ports: [{ port: 8443 }],
  });
}
