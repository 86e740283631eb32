import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IslandPause } from '@astropelago/contract/islands'
import { percent } from '@astropelago/contract/percent'
import type { StatusPage } from '@astropelago/contract/status-pages'
import { dayMs, writeDay } from '../../history/time-spans.ts'
import { pageStyle, type PageFonts } from '../../http/drawn-pages.ts'
import { markup, trusted, type Markup } from '../../http/markup.ts'
import {
  daysText,
  overallOf,
  shortDay,
  utcTime,
  type Overall,
  type UpWord,
} from './status-words.ts'

const ownStyle = readFileSync(new URL('./page/status-page.css', import.meta.url), 'utf8')
const script = readFileSync(new URL('./page/status-page.mjs', import.meta.url), 'utf8')
const scriptHash = hashOf(script)

export type StatusPageDrawing = ReturnType<typeof statusPageDrawing>

export function statusPageDrawing(fonts: Pick<PageFonts, 'rules'>, siteName: string) {
  const { style: sharedStyle, preloads } = pageStyle(fonts)
  const style = sharedStyle + ownStyle
  const head = {
    // If the style or script changes, pages that have been open for weeks reload themselves.
    version: hashOf(style + script).slice(0, 8),
    markup: trusted(`${preloads}<style>${style}</style>`),
  }
  const styleHash = hashOf(style)
  return {
    /** @param frameHosts may show the page in a frame, besides this server */
    policy: (frameHosts: readonly string[] | 'nobody') => policyOf(styleHash, frameHosts),
    /** Complete without a script, which only keeps it up to date. */
    draw: (page: StatusPage) => wholePage(head, contentOf(page, siteName)),
    /** The same whether the user has no page, has turned it off, or does not exist. */
    drawMissing: () =>
      wholePage(head, {
        title: 'Status',
        overall: { state: 'unknown', text: 'There is no status page here' },
        body: markup`<p class="hint">Either nobody has this name, or the page is turned off.</p>`,
      }),
  }
}

/** Allows the style and script by their hashes, so the page can be cached. A nonce would prevent that. */
function policyOf(styleHash: string, frameHosts: readonly string[] | 'nobody'): string {
  const framing = frameHosts === 'nobody' ? ["'none'"] : ["'self'", ...frameHosts]
  return [
    "default-src 'none'",
    `script-src 'sha256-${scriptHash}'`,
    `style-src 'sha256-${styleHash}'`,
    "font-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framing.join(' ')}`,
  ].join('; ')
}

interface Content {
  readonly title: string
  readonly overall: Overall
  readonly body: Markup
}

function contentOf(page: StatusPage, siteName: string): Content {
  const { today } = page
  const parts = [
    section(
      'Devices',
      page.devices.map(({ id, label: name, ...device }) =>
        row({ ...device, name, path: `/devices/${encodeURIComponent(id)}`, up: 'online' }, today),
      ),
    ),
    section(
      'Islands',
      page.islands.map(({ slug, isOpen, isWatched, ...island }) =>
        row(
          {
            ...island,
            path: `/islands/${encodeURIComponent(slug)}`,
            up: 'open',
            status: isOpen ? 'open' : island.pause === null ? 'closed' : 'paused',
            ...(!isWatched && { days: [] }),
          },
          today,
        ),
      ),
    ),
    section(
      'Checks',
      page.checks.map(({ id, ...check }) =>
        row({ ...check, path: `/checks/${encodeURIComponent(id)}`, up: 'up' }, today),
      ),
    ),
  ]
  return {
    title: page.title,
    overall: overallOf(page),
    body: markup`${parts}<footer><p>Days are in UTC.</p><p><a href="/" target="_blank" rel="noopener">${siteName}</a></p></footer>`,
  }
}

function wholePage(
  head: { readonly version: string; readonly markup: Markup },
  { title, overall, body }: Content,
): string {
  const { state, text } = overall
  return String(markup`<!doctype html>
<html lang="en" data-version="${head.version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<meta name="theme-color" content="#05070f">
<meta name="robots" content="noindex">
<meta name="description" content="${text}">
<title>${title}: ${text}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${head.markup}
</head>
<body>
<main>
<h1>${title}</h1>
<p class="overall ${state}">${overallMarks[state]}<span id="overall">${text}</span></p>
${body}
</main>
<p id="lost" role="status" hidden>This server can’t be reached. What you see here may have changed since.</p>
<p id="spoken" role="status" class="spoken"></p>
<script>${trusted(script)}</script>
</body>
</html>
`)
}

function section(name: string, rows: readonly Markup[]): Markup | null {
  if (rows.length === 0) return null
  const id = name.toLowerCase()
  return markup`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2><ul>${rows}</ul></section>`
}

interface Row extends Pick<StatusPage['devices'][number], 'since' | 'uptime' | 'observed'> {
  readonly name: string
  readonly path: string
  readonly up: UpWord
  readonly status: keyof typeof statusMarks
  readonly pause?: IslandPause | null
  /** Up to today; empty if there can be no data. */
  readonly days: readonly (number | null)[]
}

function row(shown: Row, today: string): Markup {
  const { name, path, up, status, since, uptime, observed, days, pause = null } = shown
  const firstMs = Date.parse(today) - (days.length - 1) * dayMs
  const dated = days.map((share, index) => ({ day: writeDay(firstMs + index * dayMs), share }))
  const sinceText =
    since === null ? null : markup` since <time datetime="${since}">${utcTime(since, today)}</time>`
  const figures =
    uptime === null
      ? null
      : markup`<p class="uptime"><strong>${percent(uptime)}</strong> ${up}${
          observed < 0.995
            ? markup` <span>${observedText(observed)} of 90 days observed</span>`
            : null
        }</p>`
  const strip =
    days.length === 0
      ? null
      : markup`${drawDays(dated, up)}<p class="ends" aria-hidden="true"><span>${days.length} days ago</span><span>Today</span></p>`
  return markup`<li><h3><a href="${path}" target="_blank" rel="noopener">${name}</a></h3><p class="status ${status}">${statusMarks[status]}${status === 'unobserved' ? 'not observed' : status}<span>${sinceText}</span></p>${pauseText(pause, today)}${figures}${strip}</li>`
}

function pauseText(pause: IslandPause | null, today: string): Markup | null {
  if (pause === null || (pause.text === '' && pause.until === null)) return null
  const { text, until } = pause
  const said = text === '' ? null : markup`<bdi>${text}</bdi>`
  const back =
    until === null
      ? null
      : markup`Back at <time datetime="${until}">${utcTime(until, today)}</time>`
  return markup`<p class="pause">${said}${said && back && trusted('<br>')}${back}</p>`
}

function observedText(observed: number): string {
  return observed < 0.01 ? 'under 1%' : `${Math.round(observed * 100)}%`
}

const slotWidth = 10
const columnWidth = 7
const stripHeight = 40
/** A fault of some minutes has to be visible too. */
const leastHeight = 6
const baseHeight = 2

/** One column per day: its lower part is the time it was up. A null share means no data. */
function drawDays(
  days: readonly { readonly day: string; readonly share: number | null }[],
  up: UpWord,
): Markup {
  let [whole, unknown] = ['', '']
  const faults: Markup[] = []
  for (const [index, { day, share }] of days.entries()) {
    const x = index * slotWidth + (slotWidth - columnWidth) / 2
    if (share === null) unknown += column(x, stripHeight - baseHeight, baseHeight)
    else if (share === 1) whole += column(x, 0, stripHeight)
    else {
      const least = share === 0 ? 0 : leastHeight
      const tall = Math.round(least + share * (stripHeight - leastHeight - least))
      faults.push(
        markup`<g><title>${shortDay(day)}: ${percent(share)} ${up}</title><path class="down" d="${column(x, 0, stripHeight - tall)}"/><path class="up" d="${column(x, stripHeight - tall, tall)}"/></g>`,
      )
    }
  }
  return markup`<svg class="days" role="img" aria-label="${daysText(days, up)}" viewBox="0 0 ${days.length * slotWidth} ${stripHeight}" preserveAspectRatio="none"><path class="none" d="${unknown}"/><path class="up" d="${whole}"/>${faults}</svg>`
}

function column(x: number, y: number, tall: number): string {
  return tall === 0 ? '' : `M${x} ${y}h${columnWidth}v${tall}h-${columnWidth}z`
}

/** Statuses differ in shape as well as in colour. */
const marks = {
  up: '<circle cx="6" cy="6" r="5.5" fill-opacity=".25"/><circle cx="6" cy="6" r="3.25"/>',
  down: '<circle cx="6" cy="6" r="3.75" fill="none" stroke-width="2"/>',
  unknown: '<path d="M6 1.5 10.5 6 6 10.5 1.5 6Z" fill="none" stroke-width="1.5"/>',
}
const statusMarks = {
  online: mark(12, marks.up),
  open: mark(12, marks.up),
  up: mark(12, marks.up),
  offline: mark(12, marks.down),
  closed: mark(12, marks.down),
  down: mark(12, marks.down),
  unknown: mark(12, marks.unknown),
  unobserved: mark(12, marks.unknown),
  paused: mark(12, '<path d="M4 2v8M8 2v8" fill="none" stroke-width="2"/>'),
}
const overallMarks = {
  good: mark(24, '<circle cx="12" cy="12" r="10"/><path d="m7.5 12.5 3 3 6-6.5"/>'),
  partly: mark(24, '<path d="M12 2.5 22.5 21h-21z"/><path d="M12 9v6m0 2.5v.5"/>'),
  bad: mark(24, '<circle cx="12" cy="12" r="10"/><path d="m8 8 8 8m0-8-8 8"/>'),
  unknown: mark(24, '<circle cx="12" cy="12" r="10"/><path d="M7.5 12h9"/>'),
}

function mark(size: number, drawing: string): Markup {
  return markup`<svg aria-hidden="true" viewBox="0 0 ${size} ${size}">${trusted(drawing)}</svg>`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
