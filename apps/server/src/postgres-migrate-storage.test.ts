import type { ChildProcess } from 'node:child_process'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { copiedTables } from './storage/copy/copied-tables.ts'
import { migrateSqlite } from './storage/sqlite-storage.ts'
import { dumpSqlite } from './test/dump-sqlite.ts'
import { fillEveryTable } from './test/fill-every-table.ts'
import { sendHeartbeatOverHttp, signInOverHttp } from './test/http-client.ts'
import { type EndedServer as Ended, runToEnd as launchToEnd } from './test/launch-server.ts'
import { makeTempDir, openTestDatabase } from './test/open-test-storage.ts'
import { runServer, runToEnd } from './test/run-server.ts'

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
}

function start(...args: readonly string[]): Running {
  let child: ChildProcess | undefined
  const ended = launchToEnd({
    env: { PATH: process.env['PATH'] },
    command: [process.execPath, 'apps/server/src/migrate-storage.ts', ...args],
    onSpawn: (spawned) => {
      child = spawned
      onTestFinished(() => void spawned.kill('SIGKILL'))
    },
  })
  if (child === undefined) throw new Error('nothing was started')
  return { child, ended }
}

const run = (...args: readonly string[]) => start(...args).ended

async function makeFilledFile(): Promise<string> {
  const path = join(await makeTempDir(), 'astropelago.sqlite')
  await migrateSqlite(path)
  fillEveryTable(path)
  return path
}

/** A session that locks what a move needs, until it is released. */
async function holdUp(url: string, statement: string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`begin; ${statement}`)
  const waiting =
    'from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))'
  return {
    isMet: async () => (await client.query(`select pid ${waiting}`)).rows.length > 0,
    /** PostgreSQL itself does this once it finds that the client is gone. */
    endWaiting: () => client.query(`select pg_terminate_backend(pid) ${waiting}`),
    letGo: () => client.query('rollback'),
  }
}

test('a move that is killed amid a table goes on and completes when it is run again, both ways', async () => {
  const path = await makeFilledFile()
  const database = new DatabaseSync(path)
  // More than one page of outages.
  database.exec(`
    with recursive counted (value) as (
      select 100000 union all select value + 1 from counted where value < 105000
    ) insert into outages select value, value from counted`)
  database.close()
  const url = await openTestDatabase()
  const there = ['--from', path, '--to', url]
  const hold = await holdUp(url, 'insert into outages values (104500, 0)')
  const first = start(...there)
  await vi.waitUntil(() => hold.isMet(), 20_000)
  first.child.kill('SIGKILL')
  expect(await first.ended).toMatchObject({ code: null })
  await hold.endWaiting()
  await hold.letGo()

  const server = await runToEnd({ dataDir: await makeTempDir(), env: { DATABASE_URL: url } })
  expect(server).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^A move of all data from .* is not finished: .*\n$/),
  })
  const second = await run(...there)
  expect(second).toMatchObject({ code: 0, stderr: '' })
  expect(second.stdout).toContain('It went on from where it was cut off.\n')
  expect(second.stdout).toContain('Copied outages: 5,012\n')
  expect(second.stdout).not.toContain('Copied devices:')

  const back = join(await makeTempDir(), 'new', 'astropelago.sqlite')
  const andBack = ['--from', url, '--to', back]
  const holdBack = await holdUp(url, 'lock table key_values in access exclusive mode')
  const third = start(...andBack)
  await vi.waitUntil(() => holdBack.isMet(), 20_000)
  third.child.kill('SIGKILL')
  expect(await third.ended).toMatchObject({ code: null })
  await holdBack.letGo()
  const serverBack = await runToEnd({ dataDir: dirname(back) })
  expect(serverBack).toMatchObject({ code: 1, stderr: expect.stringContaining('not finished') })
  const fourth = await run(...andBack)
  expect(fourth).toMatchObject({ code: 0, stderr: '' })
  expect(fourth.stdout).toContain('It went on from where it was cut off.\n')
  expect(dumpSqlite(back)).toEqual(dumpSqlite(path))
})

test('a server has everything that a killed server on the other side acknowledged', async () => {
  const dataDir = await makeTempDir()
  const onFile = await runServer({ dataDir })
  const client = await signInOverHttp(onFile.url, 'nova')
  const id = await client.registerDevice()
  const token = await client.createToken(id)
  expect(await sendHeartbeatOverHttp(onFile.url, token)).toBe(204)
  const sentMs = Date.now()
  // The device is online already, so this is only in the log of heartbeats.
  expect(await sendHeartbeatOverHttp(onFile.url, token)).toBe(204)
  onFile.kill('SIGKILL')
  await onFile.exited

  const url = await openTestDatabase()
  const moved = await run('--from', join(dataDir, 'astropelago.sqlite'), '--to', url)
  expect(moved).toMatchObject({ code: 0, stderr: '' })
  expect(moved.stdout).toMatch(/heartbeats since then, in groups +1 /)
  const onPostgres = await runServer({ dataDir: await makeTempDir(), env: { DATABASE_URL: url } })
  const again = await signInOverHttp(onPostgres.url, 'nova')
  const [device] = await again.listOwnDevices()
  expect(device).toMatchObject({ id, status: 'online' })
  expect(Date.parse(device?.lastSeenAt ?? '')).toBeGreaterThanOrEqual(sentMs)
  expect(await sendHeartbeatOverHttp(onPostgres.url, token)).toBe(204)
  expect(await again.registerDevice()).not.toBe(id)
})

test('a move that is stopped by Ctrl+C says how to go on', async () => {
  const path = await makeFilledFile()
  const url = await openTestDatabase()
  const hold = await holdUp(url, 'insert into outages values (10000, 0)')
  const move = start('--from', path, '--to', url)
  await vi.waitUntil(() => hold.isMet(), 20_000)
  move.child.kill('SIGINT')
  await hold.letGo()
  expect(await move.ended).toMatchObject({
    code: 1,
    stderr: 'Stopped. Run the same command again: it goes on from where it was.\n',
  })
})

test('the exit code distinguishes a completed move, a refused one and a mistaken command', async () => {
  const path = await makeFilledFile()
  const url = await openTestDatabase()
  const done = await run('--from', path, '--to', url)
  expect(done).toMatchObject({ code: 0, stderr: '' })
  const report = /\n {2}users +11 {2}[0-9a-f]{16}\n((?:  .*\n)*)Everything is there: .*\n$/
  const [, others = ''] = report.exec(done.stdout) ?? []
  expect(others.trimEnd().split('\n')).toHaveLength(copiedTables.length - 1)
  expect(await run('--from', path, '--to', url)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^--to: postgres:.* holds the data of a community already/),
  })
  const usage = expect.stringContaining('npm run migrate-storage -- --from data/astropelago.sqlite')
  expect(await run('--form', path, '--to', url)).toMatchObject({ code: 2, stderr: usage })
  expect(await run('--from', path, '--to', path)).toMatchObject({
    code: 2,
    stderr: '--from and --to are the same\n',
  })
  expect(await run('--help')).toMatchObject({ code: 0, stdout: usage })
})
