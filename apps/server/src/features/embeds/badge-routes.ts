import type { CheckStatus } from '@astropelago/contract/checks'
import type { Status } from '@astropelago/contract/devices'
import {
  checkStatusBadge,
  checkUptimeBadge,
  deviceStatusBadge,
  deviceUptimeBadge,
  islandStatusBadge,
  islandUptimeBadge,
} from '@astropelago/contract/embeds'
import type { Uptime } from '@astropelago/contract/history'
import { percent } from '@astropelago/contract/percent'
import type { FastifyInstance } from 'fastify'
import { uptimesOf } from '../../history/uptimes.ts'
import { markup, type Markup } from '../../http/markup.ts'
import {
  checkSubject,
  deviceSubject,
  islandSubject,
  prepareAnswer,
  type Subject,
} from './cached-answers.ts'
import type { EmbedSources, Made, ServeEmbed } from './serve-embed.ts'

// White text on each of these colours has a contrast of at least 4.5.
const cyan = '#0e7490'
const violet = '#6d28d9'
const grey = '#475569'
const amber = '#a16207'
const red = '#b91c1c'
const labelColour = '#1e293b'
const colours: Readonly<Record<Status, string>> = { online: cyan, offline: grey, unknown: grey }
const checkWords: Readonly<Record<CheckStatus, readonly [text: string, colour: string]>> = {
  up: ['up', cyan],
  down: ['down', red],
  unobserved: ['not observed', grey],
}
/** A check's flips are not announced. */
const checkStatusForMs = 1000
const goodUptime = 0.99
const fairUptime = 0.95

const heightPx = 20
const fontPx = 11
const paddingPx = 6
/** Widths of Verdana's characters from the space on, in thousandths of their size. */
const widths = [
  352, 394, 459, 818, 636, 1076, 727, 269, 454, 454, 636, 818, 364, 454, 364, 454, 636, 636, 636,
  636, 636, 636, 636, 636, 636, 636, 454, 454, 818, 818, 818, 545, 1000, 684, 686, 698, 771, 632,
  575, 775, 751, 421, 455, 693, 557, 843, 748, 787, 603, 787, 695, 684, 616, 732, 684, 989, 685,
  615, 685, 454, 454, 454, 818, 636, 636, 601, 623, 521, 623, 596, 352, 623, 633, 274, 344, 592,
  274, 973, 633, 607, 623, 623, 427, 521, 394, 633, 592, 818, 592, 592, 525, 635, 454, 635, 818,
]
/** Width of all other characters: Asian scripts and emoji are about this wide. */
const otherWidth = 1000
const firstCode = 32

export function badgeRoutes(
  app: FastifyInstance,
  serveEmbed: ServeEmbed,
  { findDevice, findIsland, findCheck, presence, history }: EmbedSources,
): void {
  serveEmbed(app, deviceStatusBadge, async ({ params, query }) => {
    const device = await findDevice(params.id)
    const text = presence.status(device.key)
    const label = query.label ?? device.label
    return made(deviceSubject(device.key), { label, text, colour: colours[text] })
  })

  serveEmbed(app, deviceUptimeBadge, async ({ params, query }) => {
    const { key, label: ownLabel, publicSinceMs } = await findDevice(params.id)
    const visibleFromMs = publicSinceMs ?? Number.MAX_SAFE_INTEGER
    const uptimes = await history.readUptimes({ deviceKey: key, visibleFromMs })
    const label = query.label ?? ownLabel
    return made(deviceSubject(key), { label, ...shownUptime(uptimes, query.window) })
  })

  serveEmbed(app, islandStatusBadge, async ({ params, query }) => {
    const { key, name, isOpen, isPaused } = await findIsland(params.slug)
    const text = isOpen ? 'open' : isPaused ? 'paused' : 'closed'
    const label = query.label ?? name
    return made(islandSubject(key), { label, text, colour: isOpen ? violet : grey })
  })

  serveEmbed(app, islandUptimeBadge, async ({ params, query }) => {
    const { key, name, readUptimes } = await findIsland(params.slug)
    const label = query.label ?? name
    return made(islandSubject(key), { label, ...shownUptime(await readUptimes(), query.window) })
  })

  serveEmbed(app, checkStatusBadge, async ({ params, query }) => {
    const { key, name, status } = await findCheck(params.id)
    const [text, colour] = checkWords[status]
    const badge = made(checkSubject(key), { label: query.label ?? name, text, colour })
    return { ...badge, forMs: checkStatusForMs }
  })

  serveEmbed(app, checkUptimeBadge, async ({ params, query }) => {
    const { key, name, readPast } = await findCheck(params.id)
    const uptimes = uptimesOf(await readPast())
    const label = query.label ?? name
    return made(checkSubject(key), { label, ...shownUptime(uptimes, query.window) })
  })
}

function made(subject: Subject, badge: Badge): Made {
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

interface Badge {
  readonly label: string
  readonly text: string
  readonly colour: string
}

/** Draws a self-contained image: flat, without a script, a style or anything to load. */
export function drawBadge({ label, text, colour }: Badge): string {
  const [left, right] = [boxPx(label), boxPx(text)]
  const width = left + right
  const name = `${label}: ${text}`
  return String(
    markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${heightPx}" viewBox="0 0 ${width} ${heightPx}" role="img" aria-label="${name}"><title>${name}</title><path fill="${labelColour}" d="M0 0h${left}v${heightPx}H0z"/><path fill="${colour}" d="M${left} 0h${right}v${heightPx}H${left}z"/><g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="${fontPx}">${written(label, paddingPx)}${written(text, left + paddingPx)}</g></svg>\n`,
  )
}

/** Stretched to the computed width, with any font. */
function written(text: string, x: number): Markup {
  return markup`<text x="${x}" y="14" textLength="${widthPx(text)}" lengthAdjust="spacingAndGlyphs">${text}</text>`
}

function boxPx(text: string): number {
  return widthPx(text) + 2 * paddingPx
}

function widthPx(text: string): number {
  let thousandths = 0
  for (const letter of text.replaceAll(/\p{M}/gu, '')) {
    thousandths += widths[(letter.codePointAt(0) ?? 0) - firstCode] ?? otherWidth
  }
  return Math.ceil((thousandths * fontPx) / 1000)
}
