import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const agentFile = fileURLToPath(new URL('../agent.mjs', import.meta.url))
const quickClock = fileURLToPath(new URL('quick-clock.cjs', import.meta.url))
const unlistedNames = fileURLToPath(new URL('unlisted-names.cjs', import.meta.url))

/** The Node that runs the agent, which may not be the one that runs the tests. */
export const agentNode = process.env['AGENT_NODE'] ?? process.execPath

interface RunOptions {
  /** How many times faster its clocks run. */
  readonly speed?: number
  /** The token file. By default, it gets one of its own. */
  readonly tokenFile?: string
  /** Names that its folders leave out of their lists, although files are found by them. */
  readonly unlisted?: readonly string[]
}

export interface RunningAgent {
  /** The token file. */
  readonly tokenFile: string
  /** All lines so far, from both outputs, without timestamps. */
  readonly lines: () => readonly string[]
  readonly pid: number | undefined
  /** Waits for a matching line after the last one that was returned. */
  readonly says: (pattern: RegExp) => Promise<string>
  readonly kill: (signal: NodeJS.Signals) => void
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>
  readonly stop: () => Promise<void>
}

/** Makes a token file in a folder of its own. */
export async function makeTokenFile(mode = 0o600): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'astropelago-agent-'))
  const file = join(folder, 'relay-token')
  await writeFile(file, 'apd_test-token\n', { mode })
  return file
}

/** Runs the agent as a process, as people do. The caller stops it. */
export async function runAgent(
  args: readonly string[],
  { speed = 1, tokenFile, unlisted = [] }: RunOptions = {},
): Promise<RunningAgent> {
  const ownTokenFile = tokenFile === undefined ? await makeTokenFile() : undefined
  const file = tokenFile ?? ownTokenFile ?? ''
  const around = ['--require', quickClock, '--require', unlistedNames]
  const child = spawn(agentNode, [...around, agentFile, '--token-file', file, ...args], {
    env: { ...process.env, QUICK_CLOCK: String(speed), UNLISTED_NAMES: unlisted.join('/') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  let readLines = 0
  const waiting = new Set<() => void>()
  let rest = ''
  const note = (chunk: Buffer) => {
    const found = `${rest}${chunk.toString()}`.split('\n')
    rest = found.pop() ?? ''
    lines.push(...found.map((line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /, '')))
    for (const look of waiting) look()
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  let isOver = false
  const exited = once(child, 'close').then(([code, signal]: (number | string | null)[]) => {
    isOver = true
    for (const look of waiting) look()
    return code ?? signal ?? 'unknown'
  })

  return {
    tokenFile: file,
    lines: () => lines,
    pid: child.pid,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const at = lines.findIndex((line, index) => index >= readLines && pattern.test(line))
          if (at === -1 && !isOver) return
          waiting.delete(look)
          if (at === -1) {
            reject(new Error(`the agent ended without saying ${pattern}:\n${lines.join('\n')}`))
            return
          }
          readLines = at + 1
          resolve(lines[at] ?? '')
        }
        waiting.add(look)
        look()
      }),
    kill: (signal) => child.kill(signal),
    exited,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
      if (ownTokenFile !== undefined) await rm(join(ownTokenFile, '..'), { recursive: true })
    },
  }
}
