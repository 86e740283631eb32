import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Debian stable. */
export const debianSuite = 'trixie'
const guestPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Whether systemd-nspawn works here. It may not inside a container or for a user other than root. Prints a
 * line if it does not work.
 */
export function canNestSystems(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-nested-'))
  try {
    for (const name of ['usr', 'etc', 'tmp', 'root']) mkdirSync(join(folder, name))
    for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(folder, name))
    const nspawn = ['--quiet', '--register=no', '--keep-unit', '--console=pipe', '--bind-ro=/usr']
    const args = [...nspawn, `--directory=${folder}`, 'true']
    const { status, stderr } = spawnSync('systemd-nspawn', args, { encoding: 'utf8' })
    if (status !== 0) console.log(`  SKIPPED, because no system can run inside this one: ${stderr}`)
    return status === 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Makes a minimal Debian with these packages, and with the certificates that this machine trusts. */
export function makeDebian(root: string, packages: readonly string[]): void {
  const debootstrap = [`--include=${packages.join(',')}`, '--variant=minbase', debianSuite, root]
  execFileSync('debootstrap', debootstrap, { stdio: ['ignore', 'ignore', 'inherit'] })
  const certificates = 'usr/local/share/ca-certificates'
  cpSync(join('/', certificates), join(root, certificates), { recursive: true })
  execFileSync('chroot', [root, 'update-ca-certificates'], { stdio: 'ignore' })
}

export interface Nested {
  /** The command that runs a program in the system, with only a path in its environment. */
  readonly command: (program: readonly string[]) => readonly [string, string[]]
  /** Runs a text in root's shell. */
  readonly run: (text: string) => string
  readonly stop: () => Promise<void>
}

/**
 * Starts a system on this machine's network. `first` selects its first process: `--boot` or `--as-pid2`.
 */
export function startNested(root: string, first: readonly string[]): Nested {
  const nspawn = ['--quiet', '--register=no', '--keep-unit', '--resolv-conf=copy-host']
  const child = spawn('systemd-nspawn', [...nspawn, '-D', root, ...first], {
    stdio: 'ignore',
    // A newer systemd refuses version 1 of control groups, which this machine may have.
    env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' },
  })
  const command: Nested['command'] = (program) => {
    const inside = ['--target', String(leaderOf(child)), '--all', '--', 'env', '-i']
    return ['nsenter', [...inside, `PATH=${guestPath}`, ...program]]
  }
  return {
    command,
    run: (text) => {
      const [program, args] = command(['HOME=/root', 'bash', '-ec', text])
      return execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 26 })
    },
    stop: async () => {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** Whether the system's systemd accepts commands. */
export function isUp({ run }: Pick<Nested, 'run'>): boolean {
  try {
    return /running|degraded/.test(run('systemctl is-system-running || true'))
  } catch {
    // The first process has not started yet, or has no bus.
    return false
  }
}

/** The process id of the system's first process, which has the system's namespaces. */
function leaderOf({ pid }: ChildProcess): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const leader = Number(children[0])
  assert.ok(leader > 0, 'it has not started yet')
  return leader
}
