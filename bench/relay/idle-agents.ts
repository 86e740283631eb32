/**
 * Runs an idle agent for each token file in a folder, to measure their cost in the server. Each is a module of its
 * own in this one process.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const { SERVER = '', AGENT = '', TOKENS = '' } = process.env
const write = process.stdout.write.bind(process.stdout)
const tokens = readdirSync(TOKENS)
let connected = 0
process.setMaxListeners(0)
Object.assign(process.stdout, {
  write: (text: string) => {
    if (text.includes(' connected as ')) connected += 1
    if (connected === tokens.length) write(`${SERVER} is ready for all of them\n`)
    return true
  },
})
for (const [index, name] of tokens.entries()) {
  const args = ['--server', SERVER, '--to', SERVER, '--token-file', join(TOKENS, name)]
  process.argv.splice(2, process.argv.length, ...args)
  await import(`${pathToFileURL(AGENT).href}?${index}`)
}
