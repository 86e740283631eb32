import { execFileSync } from 'node:child_process'
import { putStandInCrontab } from './stand-in-crontab.ts'
import type { ThrowawayHome } from './throwaway-home.ts'

/**
 * What starts programs: systemd for root, a user's systemd, cron, a cron that is not running, or nothing.
 */
export type Starter = 'system' | 'user' | 'cron' | 'stopped cron' | 'none'

/**
 * Makes a home look like a Linux of this kind to a paste, because the real systemd and cron belong to the
 * machine that runs the tests. The home's file `calls` records the calls of systemctl. Starting a service
 * runs its unit's command.
 */
export async function putStandInLinux(home: ThrowawayHome, starter: Starter): Promise<void> {
  const isRoot = starter === 'system'
  await home.putProgram('id', `[ "$1" = -un ] && echo nova || echo ${isRoot ? 0 : 1000}`)
  await home.putProgram('loginctl', 'echo "loginctl $*" >>"$HOME/calls"')
  await home.putProgram(
    'systemctl',
    `[ "$1" = --${starter} ] || exit 1
if [ "$2" = show-environment ]; then echo PATH=/bin; exit; fi
echo "systemctl $*" >>"$HOME/calls"
case $1 in --system) units=$HOME/etc/systemd/system ;; *) units=$HOME/.config/systemd/user ;; esac
[ "$2" != start ] || sed -n 's/^ExecStart=//p' "$units/$3" | sed 's|%h|"$HOME"|g' | sh`,
  )
  if (starter === 'cron' || starter === 'stopped cron') await putStandInCrontab(home)
  else await home.putProgram('crontab', 'exit 127')
  // A fake that fails hides the machine's real crontab.
  await home.write('proc/1/comm', 'init\n')
  await home.write('proc/77/comm', starter === 'cron' ? 'cron\n' : 'sshd\n')
  if (isRoot) await home.write('etc/systemd/system/other.service', '')
}

/** Rewrites a page's text to use the home instead of paths of the whole machine. */
export function inHome(text: string, starter: Starter): string {
  const moved = text
    .replaceAll('/etc/systemd/system', 'etc/systemd/system')
    .replaceAll(/\/proc\/(1|\[0-9\]\*)\/comm/g, 'proc/$1/comm')
    .replaceAll('/run/user/', 'run/user/')
    .replaceAll('HOME=~root', 'HOME=$HOME')
  const hasCrontab = starter === 'cron' || starter === 'stopped cron'
  return hasCrontab ? moved : moved.replaceAll('command -v crontab', 'command -v no-such-program')
}

/** Shells that pastes may find as `sh`. `putShell` also installs the programs that come with busybox. */
export const shells = ['dash', 'bash', 'busybox']

export async function putShell(home: ThrowawayHome, shell: string): Promise<void> {
  if (shell !== 'busybox') {
    await home.putProgram('sh', `exec ${shell} "$@"`)
    return
  }
  const applets = execFileSync('busybox', ['--list'], { encoding: 'utf8' }).split('\n')
  const used = 'sh cat chmod cp grep head ln mkdir mktemp nohup rm rmdir sed tail tr'.split(' ')
  for (const name of used.filter((each) => applets.includes(each))) {
    await home.putProgram(name, `exec busybox ${name} "$@"`)
  }
}
