import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The path in which cron looks for programs. */
const cronPath = '/usr/bin:/bin'

/**
 * Keeps the crontab in the home folder. The real program would change the crontab of the user who runs the
 * tests.
 */
const standInCrontab = `#!/bin/sh
case $1 in
-l) if [ -f "$HOME/crontab" ]; then exec cat "$HOME/crontab"; fi
  echo 'no crontab for this user' >&2
  exit 1 ;;
-) exec cat >"$HOME/crontab" ;;
*) exit 2 ;;
esac
`

/**
 * Runs the service in a unit, as far as the pasted commands need it. The real program would run it on this
 * machine.
 */
const standInSystemctl = String.raw`#!/bin/sh
[ "$1" = --user ] || exit 1
command=$(sed -n 's/^ExecStart=//p' "$HOME/.config/systemd/user/$3" 2>/dev/null | sed 's|%h|"$HOME"|g')
case $2 in
show-environment) echo PATH=/bin ;;
start) eval "$command" ;;
restart) [ -n "$command" ] || exit 0
  (eval "exec setsid $command") >"$HOME/service.log" 2>&1 </dev/null &
  echo $! >"$HOME/service.pid" ;;
is-active) kill -0 "$(cat "$HOME/service.pid")" ;;
disable) if [ -f "$HOME/service.pid" ]; then kill "$(cat "$HOME/service.pid")"; fi
  rm -f "$HOME/service.pid" ;;
esac
`

/** An ordinary user, since commands pasted by root are for the whole machine. */
const standInId = '#!/bin/sh\n[ "$1" = -un ] && echo nova || echo 1000\n'

type Shell = 'sh' | 'bash'

interface Outcome {
  readonly status: number | null
  /** Standard output followed by standard error, or all output of a terminal. */
  readonly output: string
}

export interface ThrowawayHome {
  /** Runs a text with `shell -c`. The environment has only HOME and cron's PATH. */
  readonly run: (shell: string, text: string) => Promise<Outcome>
  /** Pastes a text into a terminal, and types the answer when asked. */
  readonly paste: (
    text: string,
    asked?: { prompt: string; answer: string },
    shell?: Shell,
  ) => Promise<Outcome>
  /** The lines that pasted commands have added to the crontab. */
  readonly crontab: () => Promise<string[]>
  /** Permission bits of a file, such as 0o600. */
  readonly modeOf: (name: string) => Promise<number>
  readonly remove: () => Promise<void>
}

/**
 * A home folder for running the commands that pages show. Its name contains a space, to find missing
 * quotes.
 */
export async function throwawayHome(): Promise<ThrowawayHome> {
  const root = await mkdtemp(join(tmpdir(), 'astropelago home '))
  const home = join(root, 'home')
  const programs = join(root, 'programs')
  await mkdir(home)
  await mkdir(programs)
  await writeFile(join(programs, 'crontab'), standInCrontab)
  await writeFile(join(programs, 'systemctl'), standInSystemctl)
  await writeFile(join(programs, 'loginctl'), '#!/bin/sh\n')
  await writeFile(join(programs, 'id'), standInId)
  for (const name of ['crontab', 'systemctl', 'loginctl', 'id'])
    await chmod(join(programs, name), 0o755)
  await symlink(process.execPath, join(programs, 'node'))
  const path = `${programs}:${cronPath}`

  async function execute(
    [program, ...args]: readonly [string, ...string[]],
    searched: string,
    asked?: { prompt: string; answer: string },
  ): Promise<Outcome> {
    const env = { HOME: home, PATH: searched, SHELL: '/bin/sh' }
    const child = spawn(program, args, { cwd: home, env })
    let output = ''
    let isAnswered = false
    const hear = (chunk: string) => {
      output += chunk
      if (asked === undefined || isAnswered || !output.includes(asked.prompt)) return
      isAnswered = true
      child.stdin.write(`${asked.answer}\n`)
    }
    child.stdout.setEncoding('utf8').on('data', hear)
    child.stderr.setEncoding('utf8').on('data', hear)
    if (asked === undefined) child.stdin.end()
    await once(child, 'close')
    return { status: child.exitCode, output }
  }

  return {
    run: (shell, text) => execute([shell, '-c', text], cronPath),
    async paste(text, asked, shell = 'sh') {
      await writeFile(join(home, 'paste.sh'), `${text}\n`)
      const terminal = [
        'script',
        '-q',
        '-e',
        '-c',
        `${shell} "$HOME/paste.sh"`,
        '/dev/null',
      ] as const
      return execute(terminal, path, asked)
    },
    async crontab() {
      const table = await readFile(join(home, 'crontab'), 'utf8')
      return table.split('\n').filter((line) => line !== '')
    },
    modeOf: async (name) => (await stat(join(home, name))).mode & 0o777,
    remove: async () => {
      await execute([join(programs, 'systemctl'), '--user', 'disable'], path)
      await rm(root, { recursive: true, force: true })
    },
  }
}

/** The command of a crontab line as cron passes it to sh, without its delay. */
export function commandAtOnce(line: string): string {
  const command = /^(?:\S+ ){5}(.*)$/.exec(line)?.[1]
  if (command === undefined) throw new Error(`Not a crontab line: ${line}`)
  return `sleep() { :; }; ${command}`
}
