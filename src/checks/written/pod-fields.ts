/**
 * Fields of a static Pod as the kubelet reads them: what it does not know it passes over, so that a misspelt field is
 * none, and what is of another type makes it refuse the whole manifest.
 * Source: k8s.io/api/core/v1 types.go (1.36); pkg/kubelet/config/common.go tryDecodeSinglePod.
 */
import type { Fields } from '../../kubernetes/json.js';
import { kinds, oddFields, type Shape } from './field-shapes.js';

const HANDLERS: Shape = {
  exec: { command: 'texts' },
  httpGet: { ...kinds('text', 'path host scheme'), port: 'number or text', httpHeaders: 'list' },
  tcpSocket: { host: 'text', port: 'number or text' },
};
const PROBE: Shape = {
  ...HANDLERS,
  grpc: { port: 'number', service: 'text' },
  ...kinds(
    'number',
    'initialDelaySeconds timeoutSeconds periodSeconds successThreshold failureThreshold terminationGracePeriodSeconds',
  ),
};
const PROFILES: Shape = {
  ...kinds('fields', 'seLinuxOptions windowsOptions'),
  seccompProfile: kinds('text', 'type localhostProfile'),
  appArmorProfile: 'fields',
};
const CONTAINER: Shape = {
  ...kinds(
    'text',
    'name image workingDir imagePullPolicy terminationMessagePath terminationMessagePolicy restartPolicy',
  ),
  ...kinds('texts', 'command args'),
  ...kinds('switch', 'stdin stdinOnce tty'),
  ...kinds('list', 'envFrom resizePolicy restartPolicyRules volumeDevices'),
  env: [{ ...kinds('text', 'name value'), valueFrom: 'fields' }],
  ports: [{ ...kinds('text', 'name protocol hostIP'), ...kinds('number', 'containerPort hostPort') }],
  resources: { ...kinds('fields', 'limits requests'), claims: 'list' },
  volumeMounts: [
    {
      ...kinds('text', 'name mountPath subPath subPathExpr mountPropagation recursiveReadOnly'),
      readOnly: 'switch',
    },
  ],
  ...{ livenessProbe: PROBE, readinessProbe: PROBE, startupProbe: PROBE },
  lifecycle: { postStart: 'fields', preStop: 'fields', stopSignal: 'text' },
  securityContext: {
    ...PROFILES,
    capabilities: kinds('texts', 'add drop'),
    ...kinds('switch', 'privileged runAsNonRoot readOnlyRootFilesystem allowPrivilegeEscalation'),
    ...kinds('number', 'runAsUser runAsGroup'),
    procMount: 'text',
  },
};
const VOLUME: Shape = {
  name: 'text',
  hostPath: kinds('text', 'path type'),
  ...kinds(
    'fields',
    'emptyDir gcePersistentDisk awsElasticBlockStore gitRepo secret nfs iscsi glusterfs persistentVolumeClaim rbd ' +
      'flexVolume cinder cephfs flocker downwardAPI fc azureFile configMap vsphereVolume quobyte azureDisk ' +
      'photonPersistentDisk projected portworxVolume scaleIO storageos csi ephemeral image',
  ),
};
export const POD: Shape = {
  ...kinds('text', 'apiVersion kind'),
  metadata: {
    ...kinds('text', 'name generateName namespace selfLink uid resourceVersion creationTimestamp deletionTimestamp'),
    ...kinds('number', 'generation deletionGracePeriodSeconds'),
    ...kinds('fields', 'labels annotations'),
    ...kinds('list', 'ownerReferences finalizers managedFields'),
  },
  spec: {
    ...kinds(
      'text',
      'restartPolicy dnsPolicy serviceAccountName serviceAccount nodeName hostname subdomain schedulerName ' +
        'priorityClassName runtimeClassName preemptionPolicy hostnameOverride',
    ),
    ...kinds('number', 'terminationGracePeriodSeconds activeDeadlineSeconds priority'),
    ...kinds(
      'switch',
      'automountServiceAccountToken hostNetwork hostPID hostIPC shareProcessNamespace enableServiceLinks ' +
        'setHostnameAsFQDN hostUsers',
    ),
    ...kinds('fields', 'nodeSelector affinity dnsConfig overhead os resources workloadRef schedulingGroup'),
    ...kinds(
      'list',
      'ephemeralContainers imagePullSecrets tolerations hostAliases readinessGates topologySpreadConstraints ' +
        'schedulingGates resourceClaims',
    ),
    securityContext: {
      ...PROFILES,
      ...kinds('number', 'runAsUser runAsGroup fsGroup'),
      runAsNonRoot: 'switch',
      ...kinds('list', 'supplementalGroups sysctls'),
      ...kinds('text', 'fsGroupChangePolicy supplementalGroupsPolicy seLinuxChangePolicy'),
    },
    containers: [CONTAINER],
    initContainers: [CONTAINER],
    volumes: [VOLUME],
  },
  status: 'fields',
};

/** What of a manifest is no field of a Pod, or of another type: sentences. */
export const oddPodFields = (pod: Fields): readonly string[] => oddFields(pod, POD);
