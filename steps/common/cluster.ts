/** What a scenario takes for granted of the cluster, where no other sentence of it says so. */
import { Given } from '../../src/run/define.js';

Given('a cluster that kubeadm has set up', { needs: ['kubeadm'] }, () => {});

Given('a cluster whose controllers run', { needs: ['controllers'] }, () => {});
