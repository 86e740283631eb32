/**
 * Many agents in one process: `node agent-crowd.ts AGENT SERVER FOLDER PATH` runs the agent once for each
 * token file in FOLDER. All of them serve the folder PATH.
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
  // The query makes it a separate module with its own state.
  await import(`${pathToFileURL(agent).href}?${name}`)
}
process.on('SIGTERM', () => {
  const mebibytes = Math.round(process.memoryUsage.rss() / 2 ** 20)
  process.stdout.write(`rss ${mebibytes} MiB\n`, () => process.exit(0))
})
