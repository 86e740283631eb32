import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

const agentUrl = new URL('../../../../../packages/agent/src/agent.mjs', import.meta.url)

/** The agent that this server offers, and its hash. */
export async function readAgentFile() {
  const file = await readFile(agentUrl)
  return { file, sha256: createHash('sha256').update(file).digest('hex') }
}
