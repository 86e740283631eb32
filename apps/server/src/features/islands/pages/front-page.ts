import { safeLink } from '@astropelago/contract/devices'
import { kindNames } from '@astropelago/contract/island-names'
import type { IslandPause, IslandView } from '@astropelago/contract/islands'
import { pictureHeight, pictureWidth } from '@astropelago/island-picture/island-picture'
import { escapeHtml } from '../../../http/escape-html.ts'
import type { PageParts } from '../../../http/page-parts.ts'
import { utcHtml } from '../../../http/utc-time.ts'
import { linkPictureSize } from './draw-link-picture.ts'
import { islandPaths } from './island-paths.ts'

/** As much as search engines and chats show. */
const descriptionMaxLength = 160

/** An island's front page for readers without scripts, with only what everybody may see. */
export function frontPage(view: IslandView, siteName: string): PageParts {
  const { slug, name, kind, isListed } = view
  const path = `/islands/${slug}`
  return {
    title: `${name} · ${siteName}`,
    description: describe(view, siteName),
    path,
    picture: {
      path: `${path}/picture.png`,
      ...linkPictureSize,
      alt: `The island ${name}, a ${kindNames[kind].toLowerCase()}`,
    },
    isIndexed: isListed,
    body: frontPageBody(view, siteName),
  }
}

function describe({ tagline, about, kind, host }: IslandView, siteName: string): string {
  const text = tagline || about.replaceAll(/\s+/g, ' ').trim()
  const hosted = host === null ? '' : `, hosted by ${host}`
  const described = text || `${kindNames[kind]} on ${siteName}${hosted}.`
  if (described.length <= descriptionMaxLength) return described
  return `${described
    .slice(0, descriptionMaxLength - 1)
    .toWellFormed()
    .trimEnd()}…`
}

/** The web app's prerendered.css styles it. It is shown until the app has drawn the page. */
function frontPageBody(view: IslandView, siteName: string): string {
  const { name, kind, picture: seed, tagline, about, rules, host, address, isOpen, pause } = view
  const head = [
    `<p class="prerendered-kind">${kindNames[kind]} · ${stateName(view)}</p>`,
    `<h1 dir="auto">${escapeHtml(name)}</h1>`,
    tagline && `<p class="prerendered-lead" dir="auto">${escapeHtml(tagline)}</p>`,
    `<p>Hosted by ${host === null ? 'whoever runs this server' : `<bdi>${escapeHtml(host)}</bdi>`}</p>`,
    pause === null ? '' : pauseLines(pause),
    address !== null && isOpen ? enterLink(address) : '',
  ]
  const rest = [
    about && `<h2>About</h2><p class="prerendered-about" dir="auto">${escapeHtml(about)}</p>`,
    rules &&
      `<h2>Rules of this island</h2><p class="prerendered-about" dir="auto">${escapeHtml(rules)}</p>`,
    neighbours(view),
    `<p><a href="/explore">More islands on ${escapeHtml(siteName)}</a></p>`,
  ]
  const picture = `<svg aria-hidden="true" viewBox="0 0 ${pictureWidth} ${pictureHeight}" fill="none" stroke-linecap="round" stroke-linejoin="round">${islandPaths(seed, kind)}</svg>`
  return [
    `<header><a href="/">${escapeHtml(siteName)}</a></header>`,
    `<main><div class="prerendered-head">${picture}<div>${head.join('')}</div></div>`,
    `${rest.join('')}</main>`,
  ].join('')
}

function stateName({ isOpen, isWatched, pause }: IslandView): string {
  if (pause !== null) return 'Paused'
  if (isOpen) return isWatched ? 'Open' : 'Open, not watched'
  return isWatched ? 'Closed' : 'Not there yet'
}

function pauseLines({ text, until }: IslandPause): string {
  const back = until === null ? '' : `<p>Back at ${utcHtml(Date.parse(until))}</p>`
  return `${text && `<p dir="auto">${escapeHtml(text)}</p>`}${back}`
}

function enterLink(address: string): string {
  const href = safeLink(address)
  if (href === undefined) return ''
  return `<p><a href="${escapeHtml(href)}" target="_blank" rel="noopener noreferrer nofollow ugc">Enter at ${escapeHtml(new URL(href).host)}</a></p>`
}

function neighbours({ neighbours: islands }: IslandView): string {
  if (islands.length === 0) return ''
  const items = islands.map(
    ({ slug, name }) => `<li><a href="/islands/${slug}" dir="auto">${escapeHtml(name)}</a></li>`,
  )
  return `<h2>Neighbours</h2><ul>${items.join('')}</ul>`
}
