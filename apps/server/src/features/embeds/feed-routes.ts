import { deviceFeed, embedPaths, islandFeed } from '@astropelago/contract/embeds'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FindDevice, FindIsland } from './find-shown.ts'
import { deviceSubject, islandSubject } from './kept-answers.ts'
import { prepareAnswer } from './prepared-answer.ts'
import type { ServeEmbed } from './serve-embed.ts'
import { feedType, feedUpdatedMs, writeFeed, type Feed } from './write-feed.ts'

/** A flip that is known is on record soon after. */
const recordedInMs = 1000
/** How many events a feed has. */
export const feedLength = 50

export interface FeedRoutesOptions {
  readonly serveEmbed: ServeEmbed
  readonly publicUrl: string
  readonly siteName: string
  readonly findDevice: FindDevice
  readonly readFlips: (
    device: { readonly deviceKey: number; readonly toldFromMs: number },
    limit: number,
  ) => Promise<DeviceFlips>
  readonly findIsland: FindIsland
}

interface DeviceFlips {
  /** Of the last 90 days, the newest first. */
  readonly flips: readonly { readonly status: 'online' | 'offline'; readonly atMs: number }[]
  /** Whether the last flip is among them, or was before. */
  readonly areAllOnRecord: boolean
}

const wordOf = { online: 'came online', offline: 'went offline' } as const
const openWordOf = { open: 'opened', closed: 'closed' } as const

/** What happened to public devices and islands, for feed readers. What is not public is missing, as what never was. */
export function feedRoutes(app: FastifyInstance, options: FeedRoutesOptions): void {
  const { serveEmbed, publicUrl, siteName, findDevice, readFlips, findIsland } = options

  serveEmbed(app, deviceFeed, async ({ params }) => {
    const { device, publicSinceMs } = await findDevice(params.id)
    if (publicSinceMs === null) throw new DomainError('not_found')
    const { key, id, label } = device
    const read = await readFlips({ deviceKey: key, toldFromMs: publicSinceMs }, feedLength)
    const answer = prepareFeed({
      id,
      title: `${label}: online and offline`,
      author: siteName,
      selfUrl: publicUrl + embedPaths.deviceFeed(id),
      pageUrl: `${publicUrl}/devices/${id}`,
      sinceMs: publicSinceMs,
      entries: read.flips.map(({ status, atMs }) => ({
        atMs,
        kind: status,
        title: `${label} ${wordOf[status]}`,
      })),
    })
    const subject = deviceSubject(key)
    return read.areAllOnRecord ? { subject, answer } : { subject, answer, forMs: recordedInMs }
  })

  serveEmbed(app, islandFeed, async ({ params }) => {
    const { key, id, slug, name, readOpenings } = await findIsland(params.slug)
    const { sinceMs, openings } = await readOpenings(feedLength)
    const answer = prepareFeed({
      id,
      title: `${name}: open and closed`,
      author: siteName,
      selfUrl: publicUrl + embedPaths.islandFeed(slug),
      pageUrl: `${publicUrl}/islands/${slug}`,
      sinceMs,
      entries: openings.map(({ kind, atMs }) => ({
        atMs,
        kind,
        title: `${name} ${openWordOf[kind]}`,
      })),
    })
    return { subject: islandSubject(key), answer }
  })
}

function prepareFeed(feed: Feed) {
  return prepareAnswer(writeFeed(feed), feedType, feedUpdatedMs(feed))
}
