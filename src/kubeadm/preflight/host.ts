/** What the checks before init and join look at: a machine, as far as whoever shows it can know of it. */

/** What was found out, or why it could not be. */
export type Found<T> = { readonly is: T } | { readonly unknown: string };

/** What a program wrote to standard output, or why it could not be run, as Go's os/exec says it. */
export type Ran = { readonly output: string } | { readonly failure: string };

/** A service as the init system knows it. */
export interface Service {
  readonly exists: boolean;
  readonly enabled: boolean;
  readonly active: boolean;
}

/** Who starts services; undefined: nobody that kubeadm knows. */
export type InitSystem = 'systemd' | 'openrc' | undefined;

/** What the container runtime answers; `failure`: why it could not be asked, as gRPC says it. */
export type Runtime =
  | { readonly failure: string }
  | {
      /** Why it is not ready; undefined: it is. */
      readonly notReady?: { readonly reason: string; readonly message: string };
      /** It answers the method RuntimeConfig. */
      readonly configures: boolean;
    };

/** Where etcd is asked, and with which files, '' where none was given. */
export interface EtcdQuestion {
  readonly endpoint: string;
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** The machine. Nothing here changes it. Paths are absolute, as the machine has them; links are followed. */
export interface HostView {
  readonly os: 'linux' | 'windows';
  /** Whether anything is there. */
  exists(path: string): Promise<Found<boolean>>;
  /** undefined: there is no such file that can be read. */
  read(path: string): Promise<Found<string | undefined>>;
  /** Names in a folder; undefined: there is no such folder. */
  list(path: string): Promise<Found<readonly string[] | undefined>>;
  /** Whether a program of this name is in the command path. */
  hasCommand(name: string): Promise<Found<boolean>>;
  /** `kubelet --version`. */
  kubeletVersion(): Promise<Found<Ran>>;
  /** The user is root. */
  isPrivileged(): Promise<Found<boolean>>;
  /** Processors that a program here may use. */
  processors(): Promise<Found<number>>;
  /** Of memory, in MiB. */
  memory(): Promise<Found<number>>;
  /** "6.1.0-18-amd64" */
  kernelRelease(): Promise<Found<string>>;
  /** The text of the kernel's configuration, or why there is none. */
  kernelConfiguration(release: string): Promise<Found<{ readonly text: string } | { readonly failure: string }>>;
  /** Whether control groups below a mount point of version 2 can be frozen. */
  freezes(mountPoint: string): Promise<Found<boolean>>;
  /** Whether a program could listen there. */
  isPortFree(port: number): Promise<Found<boolean>>;
  initSystem(): Promise<Found<InitSystem>>;
  service(name: string): Promise<Found<Service>>;
  /** Why a name has no address, as Go's resolver says it; undefined: it has one. */
  resolve(name: string): Promise<Found<string | undefined>>;
  environment(): Found<Readonly<Record<string, string | undefined>>>;
  /** `socket`: "unix:///run/containerd/containerd.sock" */
  runtime(socket: string): Promise<Found<Runtime>>;
  /** What `docker info` says, or why it cannot be asked. */
  docker(): Promise<Found<{ readonly version: string } | { readonly failure: string }>>;
  /** The field etcdserver of what it answers to /version, or why there is no answer. */
  etcdVersion(question: EtcdQuestion): Promise<Found<{ readonly version: string } | { readonly failure: string }>>;
}
