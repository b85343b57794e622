/** The phases certs/…: what is missing is made, what is there is judged as kubeadm judges it. */
import { privateKeyPem, publicKeyPem } from '../../pki/keys.js';
import { AUTHORITIES, CERTIFICATES, type CertificateFile } from '../certificates.js';
import { issueAuthority, issueBy } from '../pki.js';
import { InitFailed, type InitRun, MODES } from './host.js';
import {
  certificateIfSound,
  chainProblem,
  checkPeriod,
  inContext,
  loadAuthority,
  loadCertificate,
  loadKey,
} from './loaded.js';

type AuthorityRow = (typeof AUTHORITIES)[number];

/** Whether either half of a pair is there. */
const isThere = ({ files, configuration }: InitRun, name: string): boolean =>
  ['crt', 'key'].some((ending) => files.exists(`${configuration.certificatesDir}/${name}.${ending}`));

function writePair({ files, configuration }: InitRun, name: string, certificate: string, key: string): void {
  files.write(`${configuration.certificatesDir}/${name}.key`, key, MODES.secret);
  files.write(`${configuration.certificatesDir}/${name}.crt`, certificate, MODES.open);
}

/** Source: cmd/kubeadm/app/cmd/phases/init/certs.go runCAPhase; certs.go writeCertificateAuthorityFilesIfNotExist. */
export async function authorityPhase(run: InitRun, { file, part }: AuthorityRow): Promise<void> {
  const { configuration, now, tell } = run;
  if (part === 'etcdCa' && configuration.externalEtcd !== undefined) {
    tell(`[certs] External etcd mode: Skipping ${file} certificate authority generation`);
    return;
  }
  const found = certificateIfSound(run, file);
  if (found !== undefined) {
    checkPeriod(run, file, found);
    const hasKey = run.files.exists(`${configuration.certificatesDir}/${file}.key`);
    tell(`[certs] Using existing ${file}${hasKey ? '' : ' keyless'} certificate authority`);
    return;
  }
  if (isThere(run, file))
    inContext(`failure loading ${file} certificate`, () => {
      loadCertificate(run, file);
    });
  tell(`[certs] Generating "${file}" certificate and key`);
  const key = await run.makeKey(configuration.keyAlgorithm);
  const made = issueAuthority(part, key, now, configuration.caCertificateHours);
  writePair(run, file, made.certificate.pem, privateKeyPem(key));
}

/** Source: runCertPhase; certs.go writeCertificateFilesIfNotExist. */
export async function certificatePhase(run: InitRun, file: CertificateFile): Promise<void> {
  const { configuration, now, tell } = run;
  const { parent } = CERTIFICATES[file];
  const authority = AUTHORITIES.find(({ part }) => part === parent)?.file ?? parent;
  if (parent === 'etcdCa' && configuration.externalEtcd !== undefined) {
    tell(`[certs] External etcd mode: Skipping ${file} certificate generation`);
    return;
  }
  const found = certificateIfSound(run, file);
  if (found !== undefined) {
    checkPeriod(run, file, found);
    const parentFound = inContext(`couldn't load CA certificate ${authority}`, () => loadCertificate(run, authority));
    checkPeriod(run, authority, parentFound);
    const problem = chainProblem(run, found, parentFound);
    if (problem !== undefined)
      throw new InitFailed(`[certs] certificate ${file} not signed by CA certificate ${authority}: ${problem}`);
    tell(`[certs] Using existing ${file} certificate and key on disk`);
    return;
  }
  const signer = inContext(`couldn't load CA certificate ${authority}`, () => loadAuthority(run, authority));
  if (isThere(run, file)) {
    inContext(`failure loading ${file} key`, () => {
      loadKey(run, file);
    });
    inContext(`failure loading ${file} certificate`, () => {
      loadCertificate(run, file);
    });
  }
  tell(`[certs] Generating "${file}" certificate and key`);
  const key = await run.makeKey(configuration.keyAlgorithm);
  const { certificatePem, keyPem } = issueBy(signer, file, { configuration, key, now });
  writePair(run, file, certificatePem, keyPem);
}

/** Phase certs/sa. Of an existing pair nothing is compared. Source: CreateServiceAccountKeyAndPublicKeyFiles. */
export async function serviceAccountPhase(run: InitRun): Promise<void> {
  const { configuration, files, tell } = run;
  const { certificatesDir, externalCa, keyAlgorithm } = configuration;
  if (externalCa) {
    tell('[certs] Using existing sa keys');
    return;
  }
  if (files.exists(`${certificatesDir}/sa.key`)) {
    inContext('file sa.key existed but it could not be loaded properly', () => {
      loadKey(run, 'sa');
    });
    tell('[certs] Using the existing "sa" key');
    return;
  }
  tell('[certs] Generating "sa" key and public key');
  const key = await run.makeKey(keyAlgorithm);
  files.write(`${certificatesDir}/sa.key`, privateKeyPem(key), MODES.secret);
  files.write(`${certificatesDir}/sa.pub`, publicKeyPem(key), MODES.secret);
}
