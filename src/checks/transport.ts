/** How the API server is reached. */
import type { Check } from '../model/check.js';
import { demand } from '../model/finding.js';

/** `server`: "https://10.0.0.1:6443" */
export const servedOverTls: Check<{ readonly server: string }> = {
  id: 'transport/tls',
  source: '000, TLS; 002, the address of the API server is an https one',
  judge: ({ server }) => {
    const tls = server.startsWith('https://');
    return [demand({ subject: server, demanded: 'an https address', seen: tls ? 'https' : 'no https', ok: tls })];
  },
};
