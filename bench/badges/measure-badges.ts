import { embedPaths } from '@astropelago/contract/embeds'
import type { BenchRow } from '../bench-row.ts'
import { takeTurns, writeRequests, type Target } from '../server/drive-load.ts'
import { seededId } from '../server/seeded-device.ts'
import { startBareServer, type ServerProcess } from '../server/server-process.ts'
import { withServers } from '../server/with-servers.ts'

const devices = 1000
const connections = 64
const atLeastOfBare = 0.5

/** What differs from one answer to the next, or that node:http says by itself. */
const ownHeaders = new Set(['date', 'connection', 'keep-alive'])

interface Measured {
  readonly name: string
  readonly ours: Target
  readonly bare: Target
}

/** Badges and feeds of 1,000 devices in turn, each beside a bare node:http server that gives the same bytes. */
export function measureBadges(): Promise<readonly BenchRow[]> {
  return withServers(304, [devices], async ({ bare, seeded: [seeded], folder }) => {
    if (seeded === undefined) return []
    const { server } = seeded
    const started: ServerProcess[] = []
    const measured: Measured[] = []
    try {
      for (const [name, pathOf] of [
        ['status badges', embedPaths.deviceStatusBadge],
        ['uptime badges', embedPaths.deviceUptimeBadge],
        ['feeds', embedPaths.deviceFeed],
      ] as const) {
        const paths = Array.from({ length: devices }, (_, at) => pathOf(seededId(at + 1)))
        const requests = writeRequests(folder, name, paths.map(requestOf))
        const answer = await fetch(`${server.url}${paths[0]}`)
        const headers = Object.fromEntries(
          [...answer.headers].filter(([header]) => !ownHeaders.has(header)),
        )
        const same = await startBareServer(200, { headers, body: await answer.text() })
        started.push(same)
        const target = { requests, connections }
        measured.push({
          name,
          ours: { ...target, server },
          bare: { ...target, server: same },
        })
      }
      const path = embedPaths.deviceStatusBadge(seededId(1))
      const etag = (await fetch(`${server.url}${path}`)).headers.get('etag') ?? ''
      const requests = writeRequests(folder, 'unchanged', [
        `GET ${path} HTTP/1.1\r\nHost: bench\r\nIf-None-Match: ${etag}\r\n\r\n`,
      ])
      const target = { requests, connections }
      measured.push({
        name: 'an unchanged badge (304)',
        ours: { ...target, server },
        bare: { ...target, server: bare },
      })
      const load = await takeTurns(measured.flatMap(({ ours, bare: other }) => [other, ours]))
      return measured.flatMap(({ name, ours, bare: other }): BenchRow[] => {
        const [value, reference] = [load(ours), load(other)]
        return [
          {
            name: `${name}, ${devices.toLocaleString('en')} devices`,
            value: value.perSecond,
            unit: 'calls/s',
            reference: reference.perSecond,
            atLeast: reference.perSecond * atLeastOfBare,
          },
          {
            name: `${name}: main thread`,
            value: value.mainUs,
            unit: 'µs',
            reference: reference.mainUs,
          },
        ]
      })
    } finally {
      for (const one of started) await one.stop()
    }
  })
}

function requestOf(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\n\r\n`
}
