import { createHash } from 'node:crypto'
import type { Status } from '@astropelago/contract/devices'
import {
  deviceStatusBadge,
  deviceUptimeBadge,
  islandStatusBadge,
} from '@astropelago/contract/embeds'
import type { Uptime } from '@astropelago/contract/history'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import { matchesEtag } from '../../http/negotiation.ts'
import type { Serve } from '../../http/serve-route.ts'
import { drawBadge } from './draw-badge.ts'

const cyan = '#0e7490'
const violet = '#6d28d9'
const grey = '#475569'
const amber = '#a16207'
const red = '#b91c1c'
const colours: Readonly<Record<Status, string>> = { online: cyan, offline: grey, unknown: grey }
/** From these shares on an uptime is good, or not bad. */
const goodUptime = 0.99
const fairUptime = 0.95

interface FoundDevice {
  readonly device: { readonly key: number; readonly label: string }
  readonly publicSinceMs: number | null
}

export interface BadgeRoutesOptions {
  readonly serve: Serve
  /** A device that everybody may know of. */
  readonly findDevice: (id: string) => Promise<FoundDevice | undefined>
  readonly status: (deviceKey: number) => Status
  readonly readUptimes: (device: {
    readonly deviceKey: number
    readonly toldFromMs: number
  }) => Promise<readonly Uptime[]>
  /** An island that everybody may know of. */
  readonly findIsland: (
    slug: string,
  ) => Promise<{ readonly name: string; readonly isOpen: boolean } | undefined>
}

/** Pictures for other people's pages. What is not public is missing, as what never was. */
export async function badgeRoutes(app: FastifyInstance, options: BadgeRoutesOptions) {
  const { serve, findDevice, status, readUptimes, findIsland } = options
  const find = async (id: string) => {
    const found = await findDevice(id)
    if (found === undefined) throw new DomainError('not_found')
    return found
  }

  serve(app, deviceStatusBadge, async ({ params, query, request, reply }) => {
    const { device } = await find(params.id)
    const text = status(device.key)
    return send(request, reply, {
      label: query.label ?? device.label,
      text,
      colour: colours[text],
    })
  })

  serve(app, deviceUptimeBadge, async ({ params, query, request, reply }) => {
    const { device, publicSinceMs } = await find(params.id)
    const toldFromMs = publicSinceMs ?? Number.MAX_SAFE_INTEGER
    const uptimes = await readUptimes({ deviceKey: device.key, toldFromMs })
    const uptime = uptimes.find(({ window }) => window === query.window)?.uptime ?? null
    return send(request, reply, {
      label: query.label ?? device.label,
      text: uptimeText(uptime, query.window),
      colour: uptimeColour(uptime),
    })
  })

  serve(app, islandStatusBadge, async ({ params, query, request, reply }) => {
    const island = await findIsland(params.slug)
    if (island === undefined) throw new DomainError('not_found')
    return send(request, reply, {
      label: query.label ?? island.name,
      text: island.isOpen ? 'open' : 'closed',
      colour: island.isOpen ? violet : grey,
    })
  })
}

/** Never rounded up: 100 % is without any fault. */
export function uptimeText(uptime: number | null, window: Uptime['window']): string {
  return uptime === null
    ? `no data in ${window}`
    : `${Math.floor(uptime * 10_000) / 100} % in ${window}`
}

function uptimeColour(uptime: number | null): string {
  if (uptime === null) return grey
  if (uptime >= goodUptime) return cyan
  return uptime >= fairUptime ? amber : red
}

/** To whatever page shows it, each time as it is: a picture that did not change is not sent again. */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  badge: Parameters<typeof drawBadge>[0],
): { readonly status: 304 } | undefined {
  const svg = drawBadge(badge)
  const etag = `"${createHash('sha256').update(svg).digest('base64url').slice(0, 22)}"`
  reply.headers({
    'cache-control': 'no-cache',
    etag,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
  if (matchesEtag(request.headers['if-none-match'], etag)) return { status: 304 }
  reply.type('image/svg+xml; charset=utf-8').send(svg)
  return undefined
}
