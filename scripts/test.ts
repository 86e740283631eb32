/** Everything that must hold before a change is done, in the order that fails fastest. */
import { spawnSync } from 'node:child_process'
import { provideSystemTools } from './system-tools.ts'

interface Step {
  readonly name: string
  readonly run: () => boolean
}

const steps: readonly Step[] = [
  { name: 'format', run: () => command('oxfmt', '--check') },
  { name: 'lint', run: () => command('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'types', run: () => command('npm', 'run', '--silent', 'check:types') },
  { name: 'dead code', run: () => command('knip') },
  { name: 'programs the tests need', run: toolsProvided },
  { name: 'build', run: () => command('npm', 'run', '--silent', 'build') },
  { name: 'unit and API tests', run: () => command('vitest', 'run') },
  { name: 'browser tests', run: () => command('playwright', 'test', '--config', 'e2e') },
  { name: 'Lighthouse', run: () => command('node', 'scripts/lighthouse.ts') },
]

const timings: string[] = []
for (const { name, run } of steps) {
  console.log(`\n== ${name}`)
  const startedMs = performance.now()
  const isPassed = run()
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1).padStart(6)
  timings.push(`${seconds} s  ${isPassed ? 'passed' : 'FAILED'}  ${name}`)
  if (!isPassed) break
}
console.log(`\n${timings.join('\n')}`)
const passed = timings.filter((line) => line.includes('passed')).length
const failed = timings.length - passed
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function command(name: string, ...args: string[]): boolean {
  return spawnSync(name, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
}

function toolsProvided(): boolean {
  try {
    provideSystemTools()
    return true
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return false
  }
}
