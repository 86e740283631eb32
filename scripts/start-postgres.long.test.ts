import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

const module = new URL('../apps/server/src/test/test-postgres.ts', import.meta.url).href
const program = (ending: string) => `
  const { startTestPostgres } = await import(${JSON.stringify(module)})
  const { url } = await startTestPostgres()
  process.stdout.write(new URL(url).port)
  ${ending}
`

/** A folder for temporary files, which programs of other users reach. */
function makeTempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-crash-'))
  chmodSync(folder, 0o711)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const { promise, resolve } = Promise.withResolvers<boolean>()
  socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  const isOpen = await promise
  socket.destroy()
  return isOpen
}

test.each([
  ['an exit code', 'process.exit(7)', 7, null],
  ['an error', 'throw new Error()', 1, null],
  ['SIGTERM', "process.kill(process.pid, 'SIGTERM')", null, 'SIGTERM'],
])('a run that ends with %s also ends its PostgreSQL', async (_, ending, code, signal) => {
  const run = spawn(process.execPath, ['--input-type=module', '--eval', program(ending)], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, TMPDIR: makeTempFolder() },
  })
  let port = ''
  run.stdout.on('data', (chunk: Buffer) => (port += chunk.toString()))
  expect(await once(run, 'close')).toEqual([code, signal])
  await vi.waitFor(async () => expect(await isListening(Number(port))).toBe(false), 10_000)
})
