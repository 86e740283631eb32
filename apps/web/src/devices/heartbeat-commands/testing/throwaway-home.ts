import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface ShellResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ThrowawayHome {
  readonly path: string
  /** The PATH of pastes. */
  readonly searchPath: string
  /** Runs the text line by line as a terminal does, with this home and a bare PATH. */
  paste(text: string, shell?: string): Promise<ShellResult>
  /** Runs a program with this home and only the system's PATH. */
  run(program: string, programArguments: string[]): Promise<ShellResult>
  /** Runs `sh -c` as cron does, with only /usr/bin and /bin in the PATH. */
  runAsCron(command: string): Promise<ShellResult>
  /** Installs a program that pastes find before the system's own. */
  putProgram(name: string, script: string): Promise<void>
  write(name: string, content: string | Uint8Array, mode?: number): Promise<void>
  read(name: string): Promise<string>
  list(name: string): Promise<string[]>
  modeOf(name: string): Promise<number>
}

const systemPath = '/usr/bin:/bin'

/** A temporary home folder for a test, deleted with it. Its name has a space, to reveal missing quotes. */
export async function throwawayHome(): Promise<ThrowawayHome> {
  const root = await mkdtemp(join(tmpdir(), 'astropelago home '))
  onTestFinished(() => rm(root, { recursive: true }))
  const path = join(root, 'home')
  const programs = join(root, 'programs')
  await mkdir(path)
  await mkdir(programs)

  const searchPath = `${programs}:${systemPath}`

  async function run(program: string, args: string[], input = '', from = systemPath) {
    const child = spawn(program, args, { cwd: path, env: { HOME: path, PATH: from } })
    const ended = once(child, 'close')
    // A program that reads no input may end before the input is written.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
    child.stdin.end(input)
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    await ended
    return { status: child.exitCode, stdout, stderr }
  }

  return {
    path,
    searchPath,
    paste: (input, shell = 'sh') => run(shell, [], `${input}\n`, searchPath),
    run: (program, programArguments) => run(program, programArguments),
    runAsCron: (command) => run('sh', ['-c', command]),
    async putProgram(name, script) {
      await writeFile(join(programs, name), `#!/bin/sh\n${script}\n`)
      await chmod(join(programs, name), 0o755)
    },
    async write(name, content, mode = 0o644) {
      await mkdir(dirname(join(path, name)), { recursive: true })
      await writeFile(join(path, name), content)
      await chmod(join(path, name), mode)
    },
    read: (name) => readFile(join(path, name), 'utf8'),
    list: (name) => readdir(join(path, name)),
    modeOf: async (name) => (await stat(join(path, name))).mode & 0o777,
  }
}
