import { get, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { OwnDevice, registerDevice } from '@astropelago/contract/devices'
import { embedPaths } from '@astropelago/contract/embeds'
import type { Route } from '@astropelago/contract/route'
import { updateStatusPage } from '@astropelago/contract/status-pages'
import * as v from 'valibot'
import type { BenchRow } from '../bench-row.ts'
import { takeTurns, writeRequests, type Target } from '../server/drive-load.ts'
import { benchUser, registerUser } from '../server/register-user.ts'
import { seededId } from '../server/seeded-device.ts'
import { startBareServer, type ServerProcess } from '../server/server-process.ts'
import { withServers } from '../server/with-servers.ts'

const devices = 1000
const devicesOfPage = 10
const connections = 64
const promised = { atLeastOfBare: 0.5 }

/** Headers that differ between answers, or that node:http sets by itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive'])

interface Measured {
  readonly name: string
  /** The budget; undefined if there is none. */
  readonly atLeastOfBare?: number
  readonly paths: readonly string[]
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Badges and feeds of 1,000 devices in turn, and a status page, each beside a bare node:http server that sends
 * the same bytes.
 */
export function measureBadges(): Promise<readonly BenchRow[]> {
  return withServers(304, [devices], async ({ bare, seeded: [seeded], folder }) => {
    if (seeded === undefined) return []
    const { server } = seeded
    const page = await makeStatusPage(server.url)
    const gzip = { 'accept-encoding': 'gzip' }
    const badges = ofDevices(embedPaths.deviceStatusBadge)
    const all: readonly Measured[] = [
      { name: 'status badges', paths: badges, headers: {}, ...promised },
      {
        name: 'uptime badges',
        paths: ofDevices(embedPaths.deviceUptimeBadge),
        headers: {},
        ...promised,
      },
      { name: 'feeds', paths: ofDevices(embedPaths.deviceFeed), headers: {}, ...promised },
      {
        name: 'an unchanged badge (304)',
        paths: badges.slice(0, 1),
        headers: { 'if-none-match': await etagOf(`${server.url}${badges[0]}`, {}) },
        ...promised,
      },
      { name: 'a status page', paths: [page], headers: gzip },
      {
        name: 'an unchanged status page (304)',
        paths: [page],
        headers: { ...gzip, 'if-none-match': await etagOf(`${server.url}${page}`, gzip) },
      },
    ]
    const started: ServerProcess[] = []
    try {
      const pairs: { one: Measured; ours: Target; other: Target }[] = []
      for (const one of all) {
        const { name, paths, headers } = one
        const target = {
          requests: writeRequests(
            folder,
            name,
            paths.map((path) => requestOf(path, headers)),
          ),
          connections,
        }
        const answer = await ask(`${server.url}${paths[0]}`, headers)
        const same = answer.status === 304 ? bare : await startBareServer(200, answer)
        if (same !== bare) started.push(same)
        pairs.push({ one, ours: { ...target, server }, other: { ...target, server: same } })
      }
      const load = await takeTurns(pairs.flatMap(({ ours, other }) => [other, ours]))
      return pairs.flatMap(({ one, ours, other }) => rowsOf(one, load(ours), load(other)))
    } finally {
      for (const one of started) await one.stop()
    }
  })
}

function ofDevices(pathOf: (id: string) => string): readonly string[] {
  return Array.from({ length: devices }, (_, at) => pathOf(seededId(at + 1)))
}

function rowsOf(
  { name, atLeastOfBare }: Measured,
  ours: { readonly perSecond: number; readonly mainUs: number },
  bare: { readonly perSecond: number; readonly mainUs: number },
): BenchRow[] {
  return [
    {
      name,
      value: ours.perSecond,
      unit: 'calls/s',
      reference: bare.perSecond,
      ...(atLeastOfBare !== undefined && { atLeast: bare.perSecond * atLeastOfBare }),
    },
    { name: `${name}: main thread`, value: ours.mainUs, unit: 'µs', reference: bare.mainUs },
  ]
}

async function etagOf(url: string, headers: Readonly<Record<string, string>>): Promise<string> {
  const { headers: given } = await ask(url, headers)
  return given['etag'] ?? ''
}

/** Makes the status page of a user whose devices never reported. @returns its path */
async function makeStatusPage(url: string): Promise<string> {
  const cookie = await registerUser(url)
  const send = async (
    { method, path }: Pick<Route, 'method' | 'path'>,
    body: object,
  ): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return await answer.json()
  }
  const ids: string[] = []
  for (let number = 1; number <= devicesOfPage; number += 1) {
    const details = { label: `Beacon ${number}`, lat: number, lon: number, visibility: 'public' }
    ids.push(v.parse(OwnDevice, await send(registerDevice, details)).id)
  }
  await send(updateStatusPage, { isOn: true, devices: ids })
  return `/status/${benchUser}`
}

/** An answer as sent, possibly compressed. */
async function ask(url: string, headers: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  get(url, { headers, agent: false }, resolve).on('error', reject)
  const response = await promise
  const given = Object.entries(response.headersDistinct).flatMap(([name, values]) =>
    ownHeaders.has(name) ? [] : [[name, (values ?? []).join(', ')] as const],
  )
  return {
    status: response.statusCode,
    headers: Object.fromEntries(given),
    body: await buffer(response),
  }
}

function requestOf(path: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ host: 'bench', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
