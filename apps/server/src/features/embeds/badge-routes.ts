import type { Status } from '@astropelago/contract/devices'
import {
  deviceStatusBadge,
  deviceUptimeBadge,
  islandStatusBadge,
  islandUptimeBadge,
} from '@astropelago/contract/embeds'
import type { Uptime } from '@astropelago/contract/history'
import { percent } from '@astropelago/contract/percent'
import type { FastifyInstance } from 'fastify'
import { drawBadge } from './draw-badge.ts'
import type { FindDevice, FindIsland } from './find-shown.ts'
import { deviceSubject, islandSubject, type Subject } from './cached-answers.ts'
import { prepareAnswer } from './prepared-answer.ts'
import type { Made, ServeEmbed } from './serve-embed.ts'

const cyan = '#0e7490'
const violet = '#6d28d9'
const grey = '#475569'
const amber = '#a16207'
const red = '#b91c1c'
const colours: Readonly<Record<Status, string>> = { online: cyan, offline: grey, unknown: grey }
/** Lowest shares of a good and of a fair uptime. */
const goodUptime = 0.99
const fairUptime = 0.95

export interface BadgeRoutesOptions {
  readonly serveEmbed: ServeEmbed
  readonly findDevice: FindDevice
  readonly status: (deviceKey: number) => Status
  readonly readUptimes: (device: {
    readonly deviceKey: number
    readonly visibleFromMs: number
  }) => Promise<readonly Uptime[]>
  readonly findIsland: FindIsland
}

/** Images for other people's pages. What is not public is answered like what does not exist. */
export function badgeRoutes(app: FastifyInstance, options: BadgeRoutesOptions): void {
  const { serveEmbed, findDevice, status, readUptimes, findIsland } = options

  serveEmbed(app, deviceStatusBadge, async ({ params, query }) => {
    const { device } = await findDevice(params.id)
    const text = status(device.key)
    const label = query.label ?? device.label
    return made(deviceSubject(device.key), { label, text, colour: colours[text] })
  })

  serveEmbed(app, deviceUptimeBadge, async ({ params, query }) => {
    const { device, publicSinceMs } = await findDevice(params.id)
    const visibleFromMs = publicSinceMs ?? Number.MAX_SAFE_INTEGER
    const uptimes = await readUptimes({ deviceKey: device.key, visibleFromMs })
    const label = query.label ?? device.label
    return made(deviceSubject(device.key), { label, ...shownUptime(uptimes, query.window) })
  })

  serveEmbed(app, islandStatusBadge, async ({ params, query }) => {
    const { key, name, isOpen, isPaused } = await findIsland(params.slug)
    const text = isOpen ? 'open' : isPaused ? 'paused' : 'closed'
    const label = query.label ?? name
    return made(islandSubject(key), { label, text, colour: isOpen ? violet : grey })
  })

  serveEmbed(app, islandUptimeBadge, async ({ params, query }) => {
    const { key, name, readUptimes: readOpen } = await findIsland(params.slug)
    const label = query.label ?? name
    return made(islandSubject(key), { label, ...shownUptime(await readOpen(), query.window) })
  })
}

function made(subject: Subject, badge: Parameters<typeof drawBadge>[0]): Made {
  return { subject, answer: prepareAnswer(drawBadge(badge), 'image/svg+xml; charset=utf-8') }
}

function shownUptime(uptimes: readonly Uptime[], window: Uptime['window']) {
  const uptime = uptimes.find((one) => one.window === window)?.uptime ?? null
  return { text: uptimeText(uptime, window), colour: uptimeColour(uptime) }
}

export function uptimeText(uptime: number | null, window: Uptime['window']): string {
  return `${uptime === null ? 'no data' : percent(uptime)} in ${window}`
}

function uptimeColour(uptime: number | null): string {
  if (uptime === null) return grey
  if (uptime >= goodUptime) return cyan
  return uptime >= fairUptime ? amber : red
}
