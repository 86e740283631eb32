import { markup, type Markup } from '../../http/markup.ts'

export const feedType = 'application/atom+xml; charset=utf-8'

export interface FeedEntry {
  readonly atMs: number
  /** What happened to the thing; part of the entry's id. */
  readonly kind: string
  readonly title: string
}

/** What happened to one thing. All its addresses are absolute. */
export interface Feed {
  /** A UUID. */
  readonly id: string
  readonly title: string
  readonly author: string
  readonly selfUrl: string
  /** The page about the thing. */
  readonly pageUrl: string
  /** When its public history begins. Dates a feed without entries. */
  readonly sinceMs: number
  /** Newest first. */
  readonly entries: readonly FeedEntry[]
}

/** When something in it last changed. */
export function feedUpdatedMs({ sinceMs, entries }: Pick<Feed, 'sinceMs' | 'entries'>): number {
  return Math.max(sinceMs, entries[0]?.atMs ?? 0)
}

/** Writes the feed as Atom (RFC 4287). Its IDs stay the same when names and pages change. */
export function writeFeed(feed: Feed): string {
  const { id, title, author, selfUrl, pageUrl, entries } = feed
  const updated = iso(feedUpdatedMs(feed))
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
  const at = iso(atMs)
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

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
