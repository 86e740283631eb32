import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { listen } from './test/listen.ts'
import { makeTempDir } from './test/open-test-storage.ts'
import { runServer, runToEnd } from './test/run-server.ts'

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

test.each([
  ['PORT', 'eighty'],
  ['DATABASE_URL', 'postgres://astro:s3cr3t@127.0.0.1:1/astropelago'],
  ['HOST', '192.0.2.1'],
  ['HOST', 'nowhere.invalid'],
])('%s=%s ends the start with one line that names the setting', async (name, value) => {
  const ended = await runToEnd({ dataDir: await makeTempDir(), env: { [name]: value } })
  expect(ended.code).toBe(1)
  expect(ended.stderr).toMatch(new RegExp(`^${name}: [^\\n]+\\n$`))
  expect(ended.stderr).not.toContain('s3cr3t')
  expect(ended.stdout).not.toContain('is ready')
})

test('a folder that can’t be made, and a port that another program has, end the start with one line', async () => {
  const nowhere = await runToEnd({ dataDir: '/proc/nowhere/data' })
  expect(nowhere).toMatchObject({ code: 1, stderr: expect.stringMatching(/^DATA_DIR: [^\n]+\n$/) })
  const other = createServer()
  const url = await listen(other)
  onTestFinished(() => void other.close())
  const { port } = new URL(url)
  const busy = await runToEnd({ dataDir: await makeTempDir(), env: { PORT: port } })
  expect(busy).toMatchObject({ code: 1, stderr: expect.stringMatching(/^PORT: [^\n]+\n$/) })
})

test('a second server on the same folder ends with one line that names it; the first goes on', async () => {
  const dataDir = await makeTempDir()
  const first = await runServer({ dataDir })
  const second = await runToEnd({ dataDir })
  expect(second.code).toBe(1)
  expect(second.stderr).toBe(
    `DATA_DIR: another Astropelago server is running on ${dataDir}; stop it or choose another folder\n`,
  )
  expect((await fetch(new URL('/readyz', first.url))).status).toBe(200)
})

test('V8 counts what sockets read with the heap', async () => {
  const flag = '--external-memory-accounted-in-global-limit'
  // V8's flags can't be read. This changes with each of them, and is the same in all processes.
  const tag = 'console.log(process.getBuiltinModule("v8").cachedDataVersionTag())'
  const onExit = encodeURIComponent(`process.on("exit", () => ${tag})`)
  const env = { PORT: 'eighty', NODE_OPTIONS: `--import=data:text/javascript,${onExit}` }
  const { stdout } = await runToEnd({ dataDir: await makeTempDir(), env })
  expect(stdout).toBe(execFileSync(process.execPath, [flag, '--eval', tag], { encoding: 'utf8' }))
})
