/**
 * Runs the agent's tests on each Node that it is for, and has what is too old say so:
 * `node scripts/agent-nodes.ts`. Other arguments are Vitest's.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { otherNode } from './other-node.ts'

const agent = resolve(import.meta.dirname, '../packages/agent/src/agent.mjs')
/** Debian 12's, and the newest of each that came since; the pinned one is run by `npm test`. */
const versions = ['18.13', '18', '20', '22']
/** Debian 11's and Ubuntu 22.04's. */
const tooOld = '12'

const { status, stderr } = spawnSync(otherNode(tooOld), [agent, '--help'], { encoding: 'utf8' })
assert.equal(status, 2)
assert.match(stderr, /^This needs Node\.js 18 or newer.*sudo apt install nodejs\n$/)
console.log(`  Node ${tooOld} says that it is too old`)
for (const version of versions) await runTests(otherNode(version))

async function runTests(program: string): Promise<void> {
  console.log(`  ${execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()}`)
  const tests = spawn('vitest', ['run', '--project=agent', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, AGENT_NODE: program },
  })
  const [code] = await once(tests, 'close')
  assert.equal(code, 0)
}
