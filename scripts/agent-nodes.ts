/**
 * Runs the agent's tests on each supported version of Node, and checks that an older one says it is too
 * old: `node scripts/agent-nodes.ts`. Other arguments go to Vitest.
 */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { otherNode } from './other-node.ts'

const agent = resolve(import.meta.dirname, '../packages/agent/src/agent.mjs')
/** Debian 12's Node and the newest of each later major version. `npm test` runs the pinned one. */
const versions = ['18.13', '18', '20', '22']
/** The Node of Debian 11 and Ubuntu 22.04. */
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
