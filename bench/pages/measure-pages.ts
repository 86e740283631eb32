import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { deployPages } from '@astropelago/contract/hosted-pages'
import { createIsland } from '@astropelago/contract/islands'
import * as v from 'valibot'
import { serverCommand } from '../../apps/server/src/test/launch-server.ts'
import { zipFiles } from '../../apps/server/src/test/api-pages.ts'
import type { BenchRow } from '../bench-row.ts'
import { heartbeatRequests } from '../heartbeats/heartbeat-requests.ts'
import { driveLoad, medianLoad, takeTurns, writeRequests, type Load } from '../server/drive-load.ts'
import { registerUser } from '../server/register-user.ts'
import { seedDevices } from '../server/seed-devices.ts'
import {
  startBareServer,
  startProcess,
  startServer,
  type ServerProcess,
} from '../server/server-process.ts'
import { onlineWindowS } from '../server/with-servers.ts'
import { pagesHost, seedPages } from './seed-pages.ts'

const megabyte = 1_000_000
const pageBytes = 20_000
const connections = 64
/** The budgets that docs/performance.md lists. */
const ofBareAtLeast = 0.5
const p99AtMostTimes = 2
/** A slow SD card, as strace makes one. */
const syncDelayUs = 20_000
const devices = 1000
const beats = { connections: 16, seconds: 5, rounds: 5 }
const community = { islands: 1000, bytes: 5 * megabyte, files: 20 }
const backedUp = { islands: 40, bytes: 50 * megabyte, files: 200 }

/** Measures hosted pages: one from memory, what heartbeats notice of large ones, and what many take. */
export async function measurePages(): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  try {
    return [
      ...(await measureMemory(folder)),
      ...(await measureBeside(folder)),
      ...(await measureCommunity(folder)),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Small files, and at first the page. */
function sizesOf({ bytes, files }: { readonly bytes: number; readonly files: number }) {
  const size = Math.round((bytes - pageBytes) / (files - 1))
  return [pageBytes, ...Array.from({ length: files - 1 }, () => size)]
}

async function measureMemory(folder: string): Promise<BenchRow[]> {
  const dataDir = join(folder, 'memory')
  await seedDevices(dataDir, 1, 'just seen')
  seedPages(dataDir, { islands: 1, sizes: [pageBytes] })
  const server = await startServer(dataDir, { onlineWindowS })
  const host = pagesHost(1, server.port)
  const { headers, body } = await get(server.port, host, '/')
  const bare = await startBareServer(200, { headers, body })
  try {
    const asked = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`
    const page = { server, requests: writeRequests(folder, 'page', [asked]), connections }
    const barePage = { ...page, server: bare }
    const load = await takeTurns([barePage, page])
    const [own, reference] = [load(page), load(barePage)]
    const name = 'a page of 20 kB from memory'
    return [
      {
        name,
        value: own.perSecond,
        unit: 'calls/s',
        reference: reference.perSecond,
        atLeast: reference.perSecond * ofBareAtLeast,
      },
      { name: `${name}: main thread`, value: own.mainUs, unit: 'µs', reference: reference.mainUs },
    ]
  } finally {
    await server.stop()
    await bare.stop()
  }
}

/** Heartbeats on a slow disk: alone, beside a deployment of 50 MB, and beside a backup of 2 GB. */
async function measureBeside(folder: string): Promise<BenchRow[]> {
  const dataDir = join(folder, 'beside')
  await seedDevices(dataDir, devices, 'just seen')
  seedPages(dataDir, { islands: backedUp.islands, sizes: sizesOf(backedUp) })
  const server = await startOnSlowDisk(dataDir)
  try {
    const cookie = await registerUser(server.url)
    const island = await makeIsland(server, cookie)
    const requests = writeRequests(folder, 'beats', heartbeatRequests(devices))
    const load = { server, requests, connections: beats.connections }
    const rounds = { alone: [] as Load[], deployment: [] as Load[], backup: [] as Load[] }
    await driveLoad(load, beats.seconds)
    for (let round = 0; round < beats.rounds; round += 1) {
      rounds.alone.push(await driveLoad(load, beats.seconds))
      const zip = makeZip()
      const deployed = deploy(server, zip, { cookie, island })
      rounds.deployment.push(await driveLoad(load, beats.seconds))
      await deployed
    }
    const backup = keepOn(() => backUp(dataDir, join(folder, 'backup.sqlite')))
    for (let round = 0; round < beats.rounds; round += 1) {
      rounds.backup.push(await driveLoad(load, beats.seconds))
    }
    await backup.end()
    const alone = medianLoad(rounds.alone)
    const row = (what: string, loads: readonly Load[]): BenchRow => ({
      name: `p99 of heartbeats beside ${what}, each sync 20 ms`,
      value: medianLoad(loads).p99Ms,
      unit: 'ms',
      reference: alone.p99Ms,
      atMost: alone.p99Ms * p99AtMostTimes,
    })
    return [row('a deployment of 50 MB', rounds.deployment), row('a backup of 2 GB', rounds.backup)]
  } finally {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function measureCommunity(folder: string): Promise<BenchRow[]> {
  const dataDir = join(folder, 'community')
  await seedDevices(dataDir, 1, 'just seen')
  const sizes = sizesOf(community)
  seedPages(dataDir, { islands: community.islands, sizes })
  const server = await startProcess(serverCommand, settingsFor(dataDir))
  try {
    const before = server.residentKb()
    for (let number = 1; number <= community.islands; number += 1) {
      const host = pagesHost(number, server.port)
      for (const at of [0, 1, 2]) await get(server.port, host, at === 0 ? '/' : `/${at}.jpg`)
    }
    const files = community.islands * sizes.length
    const disk = statSync(join(dataDir, 'astropelago.sqlite')).size
    return [
      {
        name: '1,000 islands of 5 MB: memory after three files of each',
        value: server.residentKb() / 1000,
        unit: 'MB',
        reference: before / 1000,
      },
      {
        name: `1,000 islands of 5 MB: disk of ${files} files`,
        value: disk / megabyte,
        unit: 'MB',
        reference: (community.islands * community.bytes) / megabyte,
      },
    ]
  } finally {
    await server.stop()
  }
}

function startOnSlowDisk(dataDir: string): Promise<ServerProcess> {
  const inject = `inject=fdatasync,fsync:delay_exit=${syncDelayUs}`
  const what = ['-f', '-qq', '--seccomp-bpf', '-o', '/dev/null', '-e', 'fdatasync,fsync']
  const command = ['strace', ...what, '-e', inject, ...serverCommand] as const
  return startProcess(command, settingsFor(dataDir))
}

function settingsFor(dataDir: string) {
  return {
    DATA_DIR: dataDir,
    PORT: '0',
    LIMIT_EXEMPT: '127.0.0.1',
    ONLINE_WINDOW_S: String(onlineWindowS),
    PAGES_TOTAL: '8000',
  }
}

async function makeIsland({ url }: ServerProcess, cookie: string): Promise<string> {
  const response = await fetch(`${url}${createIsland.path}`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', kind: 'lab', isHosted: true }),
  })
  return v.parse(createIsland.answers[201], await response.json()).id
}

/** Its files are new, so that all of them have to be written. */
function makeZip(): Blob {
  const files = Array.from({ length: 100 }, (_, at) => [`${at}.jpg`, randomBytes(490_000)] as const)
  const all = { 'index.html': '<h1>Bench</h1>', ...Object.fromEntries(files) }
  return new Blob([Uint8Array.from(zipFiles(all, { level: 0 }))])
}

async function deploy(
  { url }: ServerProcess,
  zip: Blob,
  { cookie, island }: { readonly cookie: string; readonly island: string },
): Promise<void> {
  const response = await fetch(url + deployPages.path.replace(':id', island), {
    method: 'PUT',
    headers: { cookie, 'content-type': 'application/zip' },
    body: zip,
  })
  if (!response.ok) throw new Error(`Not deployed: ${await response.text()}`)
}

async function backUp(dataDir: string, file: string): Promise<void> {
  rmSync(file, { force: true })
  await promisify(execFile)(process.execPath, ['apps/server/src/admin.ts', 'backup', file], {
    env: { ...process.env, DATA_DIR: dataDir },
  })
}

/** Repeats some work meanwhile. */
function keepOn(work: () => Promise<void>) {
  const over = new AbortController()
  const run = async () => {
    do await work()
    while (!over.signal.aborted)
  }
  const done = run()
  return {
    end: async () => {
      over.abort()
      await done
    },
  }
}

async function get(port: number, host: string, path: string) {
  const sent = request({ port, host: '127.0.0.1', path, headers: { host } }).end()
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject)
  })
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode}`)
  const { date: _date, connection: _connection, ...rest } = answer.headers
  const headers = Object.entries(rest).map(([name, value]) => [name, String(value)])
  return { headers: Object.fromEntries(headers), body: await buffer(answer) }
}
