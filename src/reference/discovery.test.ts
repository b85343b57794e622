/** The groups that the reference adds to those of its API server, as upstream records them. */
import { it } from 'node:test';
import { holdDiscovery } from '../apiserver/recorded/discovery.testing.js';
import { MINORS } from '../kubernetes/upstream-record.testing.js';
import { startReference } from './index.js';

const OWN = ['authentication.k8s.io', 'authorization.k8s.io', 'certificates.k8s.io'];

it('reviews and certificate requests are resources as upstream has them', async () => {
  for (const minor of MINORS) {
    const { handle, admin, close } = await startReference({ kubernetesVersion: `v1.${minor}.0` });
    const headers = { authorization: [] };
    const certificates = [Buffer.from(admin.certificate.replace(/-----[^-]+-----|\s/g, ''), 'base64')];
    holdDiscovery(
      minor,
      (group) => OWN.includes(group),
      (url) => {
        const answer = handle({ method: 'GET', url, headers, certificates, body: Buffer.alloc(0) });
        return answer.kind === 'full' ? (JSON.parse(answer.body.toString()) as unknown) : undefined;
      },
    );
    await close();
  }
});
