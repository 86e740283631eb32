import { deviceFeed, embedPaths, islandFeed } from '@astropelago/contract/embeds'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { FindDevice, FindIsland } from './find-shown.ts'
import { deviceSubject, islandSubject } from './cached-answers.ts'
import { prepareAnswer } from './prepared-answer.ts'
import type { ServeEmbed } from './serve-embed.ts'
import { feedType, feedUpdatedMs, writeFeed, type Feed } from './write-feed.ts'

/** A known flip is on record within about this time. Until then answers are cached no longer. */
const recordedInMs = 1000
/** Number of events in a feed. */
export const feedLength = 50

export interface FeedRoutesOptions {
  readonly serveEmbed: ServeEmbed
  readonly publicUrl: string
  readonly siteName: string
  readonly findDevice: FindDevice
  readonly readFlips: (
    device: { readonly deviceKey: number; readonly visibleFromMs: number },
    limit: number,
  ) => Promise<DeviceFlips>
  readonly findIsland: FindIsland
}

interface DeviceFlips {
  /** Within the last 90 days, newest first. */
  readonly flips: readonly { readonly status: 'online' | 'offline'; readonly atMs: number }[]
  /** Whether the device's last flip is on record, among these or before them. */
  readonly areAllOnRecord: boolean
}

const wordOf = { online: 'came online', offline: 'went offline' } as const
const openWordOf = { open: 'opened', closed: 'closed' } as const

/** Feeds about public devices and islands. What is not public is answered like what does not exist. */
export function feedRoutes(app: FastifyInstance, options: FeedRoutesOptions): void {
  const { serveEmbed, publicUrl, siteName, findDevice, readFlips, findIsland } = options

  serveEmbed(app, deviceFeed, async ({ params }) => {
    const { device, publicSinceMs } = await findDevice(params.id)
    if (publicSinceMs === null) throw new DomainError('not_found')
    const { key, id, label } = device
    const read = await readFlips({ deviceKey: key, visibleFromMs: publicSinceMs }, feedLength)
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
