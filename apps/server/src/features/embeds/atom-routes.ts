import { checkFeed, deviceFeed, embedPaths, islandFeed } from '@astropelago/contract/embeds'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import { markup, type Markup } from '../../http/markup.ts'
import { isoTime } from '../../iso-time.ts'
import type { ShownCheck } from '../checks/public.ts'
import { checkSubject, deviceSubject, islandSubject, prepareAnswer } from './cached-answers.ts'
import type { EmbedSources, ServeEmbed } from './serve-embed.ts'

/** A known flip is on record within about this time. Until then answers are cached no longer. */
const recordedInMs = 1000
export const feedLength = 50
const feedType = 'application/atom+xml; charset=utf-8'

const wordOf = { online: 'came online', offline: 'went offline' } as const
const upWordOf = { up: 'came up', down: 'went down' } as const
const openWordOf = { open: 'opened', closed: 'closed' } as const

export function atomRoutes(
  app: FastifyInstance,
  serveEmbed: ServeEmbed,
  { config, findDevice, findIsland, findCheck, history }: EmbedSources,
): void {
  const { publicUrl, siteName: author } = config

  serveEmbed(app, deviceFeed, async ({ params }) => {
    const { key, id, label, publicSinceMs } = await findDevice(params.id)
    if (publicSinceMs === null) throw new DomainError('not_found')
    const visible = { deviceKey: key, visibleFromMs: publicSinceMs }
    const { flips, areAllOnRecord } = await history.readNewestFlips(visible, feedLength)
    const answer = prepareFeed({
      id,
      title: `${label}: online and offline`,
      author,
      selfUrl: publicUrl + embedPaths.deviceFeed(id),
      pageUrl: `${publicUrl}/devices/${id}`,
      sinceMs: publicSinceMs,
      entries: flips.map(({ status, atMs }) => ({
        atMs,
        kind: status,
        title: `${label} ${wordOf[status]}`,
      })),
    })
    const subject = deviceSubject(key)
    return areAllOnRecord ? { subject, answer } : { subject, answer, forMs: recordedInMs }
  })

  serveEmbed(app, islandFeed, async ({ params }) => {
    const { key, id, slug, name, readOpenings } = await findIsland(params.slug)
    const { sinceMs, openings } = await readOpenings(feedLength)
    const answer = prepareFeed({
      id,
      title: `${name}: open and closed`,
      author,
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

  serveEmbed(app, checkFeed, async ({ params }) => {
    const { key, id, name, publicMs, readEvents } = await findCheck(params.id)
    const answer = prepareFeed({
      id,
      title: `${name}: up and down`,
      author,
      selfUrl: publicUrl + embedPaths.checkFeed(id),
      pageUrl: `${publicUrl}/checks/${id}`,
      sinceMs: publicMs,
      entries: flipsOf(await readEvents()).map(({ kind, atMs }) => ({
        atMs,
        kind,
        title: `${name} ${upWordOf[kind]}`,
      })),
    })
    return { subject: checkSubject(key), answer }
  })
}

/** The last ones, newest first. A time that was not observed is no flip. */
function flipsOf(events: Awaited<ReturnType<ShownCheck['readEvents']>>) {
  return events
    .flatMap(({ kind, atMs }) => (kind === 'unobserved' ? [] : [{ kind, atMs }]))
    .filter(({ kind }, at, all) => kind !== all[at - 1]?.kind)
    .slice(-feedLength)
    .toReversed()
}

interface Feed {
  readonly id: string
  readonly title: string
  readonly author: string
  readonly selfUrl: string
  readonly pageUrl: string
  /** Dates a feed without entries. */
  readonly sinceMs: number
  /** Newest first. */
  readonly entries: readonly FeedEntry[]
}

interface FeedEntry {
  readonly atMs: number
  readonly kind: string
  readonly title: string
}

function prepareFeed(feed: Feed) {
  return prepareAnswer(writeFeed(feed), feedType, updatedMs(feed))
}

function updatedMs({ sinceMs, entries }: Feed): number {
  return Math.max(sinceMs, entries[0]?.atMs ?? 0)
}

/** Writes the feed as Atom (RFC 4287). Its IDs stay the same when names and pages change. */
export function writeFeed(feed: Feed): string {
  const { id, title, author, selfUrl, pageUrl, entries } = feed
  const updated = isoTime(updatedMs(feed))
  const written = entries.map((entry) => writeEntry(feed, entry))
  return String(markup`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>urn:uuid:${id}</id>
<title>${title}</title>
<updated>${updated}</updated>
<author><name>${author}</name></author>
<link rel="self" type="application/atom+xml" href="${selfUrl}"/>
<link rel="alternate" type="text/html" href="${pageUrl}"/>
${written}</feed>
`)
}

function writeEntry({ id, selfUrl, pageUrl }: Feed, { atMs, kind, title }: FeedEntry): Markup {
  const at = isoTime(atMs)
  // The site certainly had its name on this date (RFC 4151).
  const tag = `tag:${tagAuthority(selfUrl)},${at.slice(0, 10)}:${id}/${kind}/${atMs}`
  return markup`<entry>
<id>${tag}</id>
<title>${title}</title>
<updated>${at}</updated>
<link rel="alternate" type="text/html" href="${pageUrl}"/>
</entry>
`
}

/** A tag needs a name, so an IPv6 address cannot be in it. */
function tagAuthority(url: string): string {
  const { hostname } = new URL(url)
  return hostname.startsWith('[') ? 'localhost' : hostname
}
