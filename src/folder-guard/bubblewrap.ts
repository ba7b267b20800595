import { type LookAt } from '../workspace/path-look.js';
import { type SandboxMount, type SandboxPlan } from './sandbox-plan.js';

/**
 * What programs need of the system. Not all of `/usr`: container images like to put applications, with their
 * configuration, into `/usr/src`.
 */
const SYSTEM = [
  ...['bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'].flatMap((name) => [`/usr/${name}`, `/${name}`]),
  ...['/usr/libexec', '/usr/share', '/usr/include'],
  ...['bin', 'sbin', 'lib', 'lib64', 'libexec', 'share', 'include'].map((name) => `/usr/local/${name}`),
  ...['/etc/alternatives', '/etc/ld.so.cache', '/etc/localtime'],
];

/** What a program needs to find and trust others on a network. */
const NETWORK = [
  ...['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf'],
  ...['/etc/ssl', '/etc/pki', '/etc/ca-certificates'],
];

const NOBODY = '65534';
const TEMPORARY_BYTES = String(256 * 1_048_576);

/** Variables that every command gets; nothing of the service's own environment. */
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/tmp',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
} as const;

export interface SandboxRules {
  /** Absolute folder in which the command starts. */
  readonly cwd: string;
  /** Added to a small, clean environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the command may use the network; false by default. */
  readonly network?: boolean;
  /** Further folders of the system to show, read-only. */
  readonly runtimePaths?: readonly string[];
  readonly look: LookAt;
  /** Open descriptor of a mount's source, so that what is mounted is what was judged; without it, the path. */
  readonly descriptorOf?: (mount: SandboxMount) => number;
}

/** The whole environment of a command: small, clean, then what was asked for. */
export function commandEnvironment(env: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { ...ENVIRONMENT, ...env };
}

/**
 * Arguments for `bwrap`, up to and with the `--` before the command. bwrap itself must be started with an empty
 * environment: the first process of the sandbox keeps the one it was started with, for everybody to read.
 *
 * @example ['bwrap', ...bubblewrapArguments(plan, { cwd: '/ws', look }), 'sh', '-c', 'ls']
 */
export function bubblewrapArguments(plan: SandboxPlan, rules: SandboxRules): string[] {
  const { cwd, env, network = false, runtimePaths = [], look } = rules;
  const system = [...SYSTEM, ...(network ? NETWORK : []), ...runtimePaths];
  return [
    ...['--unshare-all', ...(network ? ['--share-net'] : [])],
    ...['--unshare-user', '--uid', NOBODY, '--gid', NOBODY, '--cap-drop', 'ALL'],
    ...['--die-with-parent', '--new-session'],
    ...system.flatMap((path) => systemMount(path, look)),
    ...['--proc', '/proc', '--dev', '/dev'],
    ...['--size', TEMPORARY_BYTES, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...['--size', TEMPORARY_BYTES, '--tmpfs', '/tmp'],
    ...emptyFolder(plan.root, { writable: true }),
    ...plan.links.flatMap(({ at, target }) => ['--symlink', target, at]),
    ...plan.mounts.flatMap((mount) => mountArguments(mount, rules)),
    ...['--remount-ro', plan.root, '--remount-ro', '/'],
    '--clearenv',
    ...Object.entries(commandEnvironment(env)).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd, '--'],
  ];
}

function mountArguments(mount: SandboxMount, { descriptorOf }: SandboxRules): string[] {
  const { mode, source, target, found } = mount;
  if (mode === 'hide' || source === null) {
    return found === 'folder' ? emptyFolder(target) : ['--ro-bind', '/dev/null', target];
  }
  const option = mode === 'write' ? '--bind' : '--ro-bind';
  if (descriptorOf === undefined) return [option, source, target];
  return [`${option}-fd`, String(descriptorOf(mount)), target];
}

function emptyFolder(path: string, { writable = false } = {}): string[] {
  return ['--size', '65536', '--tmpfs', path, ...(writable ? [] : ['--remount-ro', path])];
}

/** Where `/bin` is a link to `usr/bin`, it is one in the sandbox too. */
function systemMount(path: string, look: LookAt): string[] {
  const seen = look(path);
  if (seen.kind === 'link' && !path.startsWith('/etc/')) return ['--symlink', seen.target, path];
  return seen.kind === 'missing' || seen.kind === 'unknown' ? [] : ['--ro-bind-try', path, path];
}
