/** Steps that a run is made of: each is timed, the first that fails ends it, and the log says both. */
import { spawn } from 'node:child_process'

export interface Step {
  readonly name: string
  /** @param isAlone whether its output may go out as it comes */
  readonly run: (isAlone: boolean) => Promise<Outcome>
}

interface Outcome {
  readonly isPassed: boolean
  readonly output: string
}

/** Phases follow one another; the lanes of one run side by side, each of them its steps in a row. */
export type Phases = readonly (readonly (readonly Step[])[])[]

/** Runs all of them; sets the exit code. */
export async function runPhases(phases: Phases, budgetS: number): Promise<void> {
  const timings: string[] = []
  let failed = 0
  const runLane = async (steps: readonly Step[], isAlone: boolean) => {
    for (const { name, run } of steps) {
      if (isAlone) console.log(`\n== ${name}`)
      const stepMs = performance.now()
      const { isPassed, output } = await run(isAlone)
      if (isAlone) console.log(output)
      else console.log(`\n== ${name}\n${output}`)
      timings.push(`${secondsSince(stepMs)} s  ${isPassed ? 'passed' : 'FAILED'}  ${name}`)
      if (isPassed) continue
      failed += 1
      return
    }
  }

  const startedMs = performance.now()
  for (const lanes of phases) {
    await Promise.all(lanes.map((steps) => runLane(steps, lanes.length === 1)))
    if (failed > 0) break
  }
  console.log(`\n${timings.join('\n')}`)
  console.log(`${secondsSince(startedMs)} s  of ${budgetS} s on two quiet cores`)
  console.log(`${timings.length - failed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

function secondsSince(ms: number): string {
  return ((performance.now() - ms) / 1000).toFixed(1).padStart(6)
}

/** A step that runs a program. */
export function command(name: string, program: string, ...args: string[]): Step {
  return {
    name,
    run: (isAlone) =>
      new Promise((done) => {
        const how = isAlone ? 'inherit' : 'pipe'
        const child = spawn(program, args, { stdio: ['ignore', how, how] })
        let output = ''
        const note = (chunk: Buffer) => (output += chunk.toString())
        child.stdout?.on('data', note)
        child.stderr?.on('data', note)
        child.on('error', ({ message }) => done({ isPassed: false, output: message }))
        child.on('close', (code) => done({ isPassed: code === 0, output }))
      }),
  }
}

/** A step that is a function, which throws where it fails. */
export function call(name: string, action: () => void): Step {
  return {
    name,
    run: () => {
      try {
        action()
        return Promise.resolve({ isPassed: true, output: '' })
      } catch (error) {
        const output = error instanceof Error ? error.message : String(error)
        return Promise.resolve({ isPassed: false, output })
      }
    },
  }
}
