/** Runs steps and times them. The first failure ends the run, and the log reports both. */
import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { MachinePace } from './machine-pace.ts'

export interface Step {
  readonly name: string
  /** @param isAlone whether it may print its output at once */
  readonly run: (isAlone: boolean) => Promise<Outcome>
}

interface Outcome {
  readonly isPassed: boolean
  readonly output: string
  /** Seconds of processor time of all its processes. */
  readonly processorS: number
}

/** Of a step that failed, shown again below the timings. */
const shownLines = 40

/**
 * Phases run one after the other. The lanes of a phase run side by side, and each runs its steps in order.
 */
export type Phases = readonly (readonly (readonly Step[])[])[]

export interface RunFigures {
  readonly wallS: number
  readonly processorS: number
  /** How many times slower the processor was than the one that the budgets were set on. */
  readonly slowness: number
}

/**
 * Runs all phases and sets the exit code.
 * @param budgetS wall seconds on two quiet cores; printed, but not enforced
 * @returns undefined if a step failed
 */
export async function runPhases(phases: Phases, budgetS: number): Promise<RunFigures | undefined> {
  const timings: string[] = []
  let processorS = 0
  const failures: string[] = []
  const runLane = async (steps: readonly Step[], isAlone: boolean) => {
    for (const { name, run } of steps) {
      console.log(isAlone ? `\n== ${name}` : `… ${name}`)
      const stepMs = performance.now()
      const outcome = await run(isAlone)
      if (!isAlone) console.log(`\n== ${name}`)
      if (outcome.output !== '') console.log(outcome.output)
      processorS += outcome.processorS
      const state = outcome.isPassed ? 'passed' : 'FAILED'
      timings.push(`${columns(secondsSince(stepMs), outcome.processorS)}  ${state}  ${name}`)
      if (outcome.isPassed) continue
      failures.push(isAlone ? '' : `\n== ${name} failed:\n${lastLines(outcome.output)}`)
      return
    }
  }

  const pace = new MachinePace()
  pace.start()
  const startedMs = performance.now()
  for (const lanes of phases) {
    await Promise.all(lanes.map((steps) => runLane(steps, lanes.length === 1)))
    if (failures.length > 0) break
  }
  pace.stop()
  const figures = {
    wallS: secondsSince(startedMs),
    processorS,
    slowness: pace.processorSlowness(),
  }
  console.log(`\n wall s  processor s\n${timings.join('\n')}`)
  console.log(
    `${columns(figures.wallS, processorS)}  in all, of ${budgetS} s on two quiet cores; ` +
      `the processor took ${figures.slowness.toFixed(2)} times as long as the one that the budgets are for`,
  )
  // The output of the lanes beside it may be far longer.
  console.log(failures.join('\n'))
  console.log(`${timings.length - failures.length} passed, ${failures.length} failed`)
  process.exitCode = failures.length === 0 ? 0 : 1
  return failures.length === 0 ? figures : undefined
}

function lastLines(output: string): string {
  return output.trimEnd().split('\n').slice(-shownLines).join('\n')
}

function columns(wallS: number, processorS: number): string {
  return `${wallS.toFixed(1).padStart(7)}${processorS.toFixed(1).padStart(13)}`
}

function secondsSince(ms: number): number {
  return (performance.now() - ms) / 1000
}

/** Prints a command's processor times to file descriptor 3, and ends with the command's exit code. */
const timedShell = '"$@"; code=$?; times >&3; exit $code'

/** A step that runs a program. */
export function command(name: string, program: string, ...args: string[]): Step {
  return {
    name,
    run: async (isAlone) => {
      const how = isAlone ? 'inherit' : 'pipe'
      const child = spawn('sh', ['-c', timedShell, 'sh', program, ...args], {
        stdio: ['ignore', how, how, 'pipe'],
      })
      const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>()
      child.on('error', reject)
      child.on('close', resolve)
      const [out, err, times, code] = await Promise.all([
        textOf(child.stdout),
        textOf(child.stderr),
        textOf(child.stdio[3]),
        ended,
      ])
      return { isPassed: code === 0, output: out + err, processorS: sumOf(times) }
    },
  }
}

async function textOf(stream: unknown): Promise<string> {
  return isReadable(stream) ? await text(stream) : ''
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'read' in stream
}

/** @param times the output of `times`: minutes and seconds of the shell and its children */
function sumOf(times: string): number {
  return [...times.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
}

/** A step that is a function. It fails if the function throws. */
export function call(name: string, action: () => void): Step {
  return {
    name,
    run: () => {
      const before = process.cpuUsage()
      let output = ''
      let isPassed = true
      try {
        action()
      } catch (error) {
        isPassed = false
        output = error instanceof Error ? error.message : String(error)
      }
      const { user, system } = process.cpuUsage(before)
      return Promise.resolve({ isPassed, output, processorS: (user + system) / 1e6 })
    },
  }
}
