/** Who asks a Pod how it is. */
import { record, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { containersOf } from './host-paths.js';

/** Whether a kubelet does over HTTP, and bears no credential. Source: k8s.io/api, core/v1 HTTPGetAction. */
export const isProbed = (pod: KubeObject): boolean =>
  containersOf(record(pod)).some(({ livenessProbe, startupProbe }) =>
    [livenessProbe, startupProbe].some((probe) => {
      const { path, httpHeaders } = record(record(probe).httpGet);
      return text(path) !== '' && !records(httpHeaders).some(({ name }) => /^authorization$/i.test(text(name)));
    }),
  );
