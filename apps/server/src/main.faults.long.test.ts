import { spawnSync } from 'node:child_process'
import { copyFile, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { checkFile } from './storage/backup/check-storage.ts'
import { migrateSqlite } from './storage/sqlite-storage.ts'
import { fillEveryTable } from './test/fill-every-table.ts'
import { signInOverHttp } from './test/http-client.ts'
import { runToEnd as launchToEnd } from './test/launch-server.ts'
import { makeTempDir } from './test/open-test-storage.ts'
import { runServer, runToEnd } from './test/run-server.ts'

// Real processes are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const name = 'astropelago.sqlite'

/** Not every system lets a process mount disks of its own. */
const canMount = spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'true']).status === 0

/** A folder on which a server ran. */
async function makeDataDir(): Promise<string> {
  const dataDir = await makeTempDir()
  await migrateSqlite(join(dataDir, name))
  fillEveryTable(join(dataDir, name))
  await writeFile(join(dataDir, 'server.lock'), '')
  return dataDir
}

/** Runs a server with a small disk mounted on a folder, which no other process sees. */
function onDisk(dataDir: string, options: string): readonly [string, ...string[]] {
  const mount = `mount -t tmpfs -o ${options} tmpfs "$0" && exec "$@"`
  return ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, dataDir]
}

async function overwrite(path: string, from: number, bytes: number): Promise<void> {
  const file = await open(path, 'r+')
  await file.write(new Uint8Array(bytes).fill(0xa5), 0, bytes, from)
  await file.close()
}

test.each([
  ['empty', (path: string) => writeFile(path, ''), /is empty, though it held a database once/],
  ['of something else', (path: string) => writeFile(path, 'x'.repeat(9000)), /is damaged: restore/],
  ['half overwritten', (path: string) => overwrite(path, 8192, 60_000), /is damaged: restore/],
  [
    'of a newer version',
    (path: string) => {
      const database = new DatabaseSync(path)
      database.exec(`insert into kysely_migration values ('9001-newer', '2030')`)
      database.close()
    },
    /of a newer version of Astropelago \(9001-newer\), .* or restore a backup from before it/,
  ],
] as const)(
  'S51 a database that is %s ends the start with one line, and stays as it is',
  async (_, make, line) => {
    const dataDir = await makeDataDir()
    const path = join(dataDir, name)
    await make(path)
    await copyFile(path, join(dataDir, 'before'))
    const ended = await runToEnd({ dataDir })
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(line) })
    expect(ended.stderr.trimEnd()).not.toContain('\n')
    expect(await readFile(path)).toEqual(await readFile(join(dataDir, 'before')))
  },
)

test('S51 damage that is found while loading ends the start with one line too', async () => {
  const dataDir = await makeDataDir()
  const path = join(dataDir, name)
  const database = new DatabaseSync(path, { readOnly: true })
  const table = database
    .prepare(`select rootpage from sqlite_master where name = 'device_tokens'`)
    .get()
  database.close()
  await overwrite(path, (Number(table?.['rootpage']) - 1) * 4096, 4096)
  const ended = await runToEnd({ dataDir })
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/is damaged: restore/) })
  expect(ended.stderr.trimEnd()).not.toContain('\n')
})

test.runIf(canMount).each([
  ['read-only', 'ro', /^DATA_DIR: .* can’t be opened for writing: .* read-only/],
  ['full', 'size=80k', /^DATA_DIR: .* has no room: its disk is full/],
])('S51 a data folder on a %s disk ends the start with one line', async (_, options, line) => {
  const dataDir = await makeTempDir()
  const ended = await runToEnd({ dataDir, under: onDisk(dataDir, options) })
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(line) })
  expect(ended.stderr.trimEnd()).not.toContain('\n')
})

test.runIf(canMount)(
  'S44 a disk that fills up loses no acknowledged write, and service returns once it has room',
  async () => {
    const dataDir = await makeTempDir()
    const server = await runServer({ dataDir, under: onDisk(dataDir, 'size=8m') })
    const client = await signInOverHttp(server.url, 'nova')
    // The path as that process sees it.
    const disk = join('/proc', String(server.pid), 'root', dataDir)
    let acknowledged = 0
    const write = async (bytes = 60_000) => {
      const text = JSON.stringify('x'.repeat(bytes))
      const response = await client.call('POST', `/_spark/kv/${acknowledged}`, text)
      if (response.status === 204) acknowledged += 1
      return response
    }
    await writeFile(join(disk, 'ballast'), new Uint8Array(5_000_000))
    let refused = await write()
    while (refused.status === 204) refused = await write()
    expect(refused.status).toBe(503)
    // A large value may be refused while a small one, or one of the server's own, still finds room.
    await vi.waitUntil(async () => {
      refused = await write(1)
      const ready = await fetch(new URL('/readyz', server.url))
      return refused.status !== 204 && ready.status === 503
    }, 10_000)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(acknowledged).toBeGreaterThan(0)

    const file = join(await makeTempDir(), 'backup.sqlite')
    const among = ['--target', String(server.pid), '--user', '--preserve-credentials', '--mount']
    const admin = [process.execPath, join(import.meta.dirname, 'admin.ts')]
    const backup = await launchToEnd({
      env: { PATH: process.env['PATH'], DATA_DIR: dataDir },
      command: ['nsenter', ...among, ...admin, 'backup', join(dataDir, 'b.sqlite')],
    })
    const full = `The disk of ${dataDir} is full: nothing was kept\n`
    expect(backup).toMatchObject({ code: 1, stderr: expect.stringContaining(full) })
    expect((await readdir(disk)).filter((it) => it.startsWith('b.'))).toEqual([])

    await rm(join(disk, 'ballast'))
    await vi.waitUntil(async () => (await write()).status === 204, 10_000)
    await copyFile(join(disk, name), file)
    await copyFile(join(disk, `${name}-wal`), `${file}-wal`)
    const { tables } = checkFile(file)
    expect(tables).toContainEqual({ label: 'stored values', rows: acknowledged })
  },
)

/** Shifts a process's clock by the amount in a file, which it reads when it is told to. */
const movableTime = `
  import { readFileSync } from 'node:fs'
  const now = Date.now
  let byMs
  const look = () => {
    byMs = Number(readFileSync(process.env.CLOCK_FILE, 'utf8'))
  }
  look()
  Date.now = () => now() + byMs
  process.on('SIGUSR2', look)`

test('S50 a clock that jumps an hour either way, during a run or between two, freezes nothing and turns no device offline', async () => {
  const dataDir = await makeTempDir()
  const clockFile = join(dataDir, 'clock')
  const set = (byHours: number) => writeFile(clockFile, String(byHours * 3_600_000))
  await set(0)
  const preload = `data:text/javascript,${encodeURIComponent(movableTime)}`
  const env = { NODE_OPTIONS: `--import=${preload}`, CLOCK_FILE: clockFile }
  const server = await runServer({ dataDir, env })
  const client = await signInOverHttp(server.url, 'nova')
  const silent = await client.registerDevice()
  expect((await client.call('POST', `/api/devices/heartbeat?id=${silent}`)).status).toBe(204)
  const reporting = await client.registerDevice()
  const lastSeenMs = async (at = client) => {
    const own = await at.listOwnDevices()
    expect(own.map(({ status }) => status)).toEqual(['online', 'online'])
    return Date.parse(own.find(({ id }) => id === reporting)?.lastSeenAt ?? '')
  }
  const report = async () => {
    expect((await client.call('POST', `/api/devices/heartbeat?id=${reporting}`)).status).toBe(204)
    return await lastSeenMs()
  }
  const says = (text: string) => vi.waitUntil(() => server.stdout().includes(text), 10_000)

  const firstMs = await report()
  await set(1)
  server.kill('SIGUSR2')
  await says('the machine slept, or its clock was set forward')
  const aheadMs = await report()
  expect(aheadMs - firstMs).toBeGreaterThanOrEqual(3_600_000)
  await set(-1)
  server.kill('SIGUSR2')
  await says('was set back')
  expect(await report()).toBeGreaterThanOrEqual(aheadMs)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)

  const next = await runServer({ dataDir, env })
  expect(next.stdout()).toContain('the clock was ahead when the server last ran')
  const again = await signInOverHttp(next.url, 'nova')
  await lastSeenMs(again)
  expect((await fetch(new URL('/readyz', next.url))).status).toBe(200)
})
