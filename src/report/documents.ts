/** The documents that the rules come from, by the number in their @source tags. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  '000': 'TLS bootstrap, a walkthrough',
  '001': 'Authenticating with Bootstrap Tokens',
  '002': 'kubeadm: Implementation details',
  '003': 'How kube-apiserver authenticates a request',
  '004': 'TLS bootstrapping of kubelets',
};

/** "001 Authenticating with Bootstrap Tokens"; a source that is no document is shown as it is. */
export const documentName = (source: string): string =>
  DOCUMENTS[source] === undefined ? source : `${source} ${DOCUMENTS[source]}`;

/** The names of a rule's documents. */
export const documentNames = (sources: readonly string[]): string =>
  sources.map(documentName).join(', ') || 'beyond the documents';
