import { safeLink } from '@astropelago/contract/devices'
import type { IslandPause, IslandView } from '@astropelago/contract/islands'
import { pictureHeight, pictureWidth } from '@astropelago/island-picture/island-picture'
import { markup, trusted, type Markup, utcHtml } from '../../../http/markup.ts'
import type { PageParts } from '../../../http/page-parts.ts'
import { islandPaths, linkPictureSize } from './link-pictures.ts'
import { kindNames } from './kind-names.ts'

/** As much as search engines and chats show. */
const descriptionMaxLength = 160

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
function frontPageBody(view: IslandView, siteName: string): Markup {
  const { name, kind, picture, tagline, about, rules, host, address, isOpen, pause } = view
  const hostName = host === null ? 'the operator of this server' : markup`<bdi>${host}</bdi>`
  const head = [
    markup`<p class="prerendered-kind">${kindNames[kind]} · ${stateName(view)}</p>`,
    markup`<h1 dir="auto">${name}</h1>`,
    tagline === '' ? null : markup`<p class="prerendered-lead" dir="auto">${tagline}</p>`,
    markup`<p>Hosted by ${hostName}</p>`,
    pause === null ? null : pauseLines(pause),
    address !== null && isOpen ? enterLink(address) : null,
  ]
  const rest = [
    textBelow('About', about),
    textBelow('Rules of this island', rules),
    neighbours(view),
    markup`<p><a href="/explore">More islands on ${siteName}</a></p>`,
  ]
  const drawing = markup`<svg aria-hidden="true" viewBox="0 0 ${pictureWidth} ${pictureHeight}" fill="none" stroke-linecap="round" stroke-linejoin="round">${trusted(islandPaths(picture, kind))}</svg>`
  return markup`<header><a href="/">${siteName}</a></header><main><div class="prerendered-head">${drawing}<div>${head}</div></div>${rest}</main>`
}

function textBelow(heading: string, text: string): Markup | null {
  if (text === '') return null
  return markup`<h2>${heading}</h2><p class="prerendered-about" dir="auto">${text}</p>`
}

function stateName({ isOpen, isWatched, pause }: IslandView): string {
  if (pause !== null) return 'Paused'
  if (isOpen) return isWatched ? 'Open' : 'Open, not watched'
  return isWatched ? 'Closed' : 'Not there yet'
}

function pauseLines({ text, until }: IslandPause): Markup {
  const said = text === '' ? null : markup`<p dir="auto">${text}</p>`
  const back = until === null ? null : markup`<p>Back at ${utcHtml(Date.parse(until))}</p>`
  return markup`${said}${back}`
}

function enterLink(address: string): Markup | null {
  const href = safeLink(address)
  if (href === undefined) return null
  return markup`<p><a href="${href}" target="_blank" rel="noopener noreferrer nofollow ugc">Enter at ${new URL(href).host}</a></p>`
}

function neighbours({ neighbours: islands }: IslandView): Markup | null {
  if (islands.length === 0) return null
  const items = islands.map(
    ({ slug, name }) => markup`<li><a href="/islands/${slug}" dir="auto">${name}</a></li>`,
  )
  return markup`<h2>Neighbours</h2><ul>${items}</ul>`
}
