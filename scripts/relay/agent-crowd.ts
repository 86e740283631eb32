/**
 * Many agents in one process: the agent's own program, once for each token file, which stand in a folder.
 * `node agent-crowd.ts AGENT SERVER FOLDER PATH`, where PATH is the folder that all of them serve.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [agent = '', server = '', tokens = '', folder = ''] = process.argv.slice(2)
const program = [process.execPath, agent, '--server', server, '--folder', folder, '--token-file']
process.setMaxListeners(0)
process.stdout.setMaxListeners(0)
for (const name of readdirSync(tokens)) {
  process.argv = [...program, join(tokens, name)]
  // A module of its own by the query, with a state of its own.
  await import(`${pathToFileURL(agent).href}?${name}`)
}
process.on('SIGTERM', () => {
  const mebibytes = Math.round(process.memoryUsage.rss() / 2 ** 20)
  process.stdout.write(`rss ${mebibytes} MiB\n`, () => process.exit(0))
})
