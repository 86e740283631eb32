import type { GuideBlock } from '@astropelago/contract/guides'
import { pathKind } from '@astropelago/contract/pages'
import { Marked, Renderer, type Token, type Tokens } from 'marked'
import { markup, trusted, type Markup } from '../../http/markup.ts'

const titleMaxLength = 120
const summaryMaxLength = 300
const defaultLabel = 'Code'

/** Shows HTML as typed, and makes text of links that pages must not follow. @throws Error without a heading */
export function drawGuide(markdown: string) {
  const tokens = marked.lexer(markdown)
  const heading = tokens.find(isHeading)
  if (heading === undefined) throw new Error('it has no heading')
  const title = cut(plainText(heading), titleMaxLength)
  if (title === '') throw new Error('its first heading is empty')
  const below = tokens.slice(tokens.indexOf(heading))
  const paragraph = below.find(({ type }) => type === 'paragraph')
  const summary = paragraph === undefined ? '' : cut(plainText(paragraph), summaryMaxLength)
  // Lists show the summary. The page shows the title, and the paragraph with its links in the text.
  const rest = tokens.filter((token) => token !== heading)
  prepare(rest)
  return { title, summary, blocks: blocksOf(rest) }
}

function prepare(tokens: Token[]): void {
  const headings: Tokens.Heading[] = []
  // The promise is for asynchronous callbacks, which this is not.
  void marked.walkTokens(tokens, (token) => {
    // After an inline `<script>` or `<pre>`, marked takes text for HTML and does not escape it.
    if (token.type === 'text') token['escaped'] = false
    if (isHeading(token)) headings.push(token)
  })
  // The title is the page's only first-level heading. The highest below it becomes second-level.
  const shift = 2 - Math.min(...headings.map(({ depth }) => depth))
  for (const heading of headings) heading.depth = Math.min(heading.depth + shift, 6)
}

/** Code is separate from text, so that the page can give each piece a button for copying it. */
function blocksOf(tokens: readonly Token[]): GuideBlock[] {
  const blocks: GuideBlock[] = []
  let text: Token[] = []
  const endText = () => {
    const html = marked.parser(text).trim()
    if (html !== '') blocks.push({ kind: 'text', html })
    text = []
  }
  for (const token of tokens) {
    if (!isCode(token)) {
      text.push(token)
      continue
    }
    endText()
    const [language = '', ...label] = (token.lang ?? '').split(' ')
    const named = label.join(' ') || defaultLabel
    blocks.push({ kind: 'code', language, label: named, text: token.text })
  }
  endText()
  return blocks
}

const marked: Marked = new Marked({
  renderer: {
    html({ text, block }) {
      // Comments are the author's notes.
      if (text.trimStart().startsWith('<!--')) return ''
      return (block ? markup`<p>${text.trim()}</p>\n` : markup`${text}`).toString()
    },
    heading({ tokens, depth, text }) {
      const content = trusted(this.parser.parseInline(tokens))
      return markup`<h${depth} id="${idOf(text)}">${content}</h${depth}>\n`.toString()
    },
    code({ text }) {
      return markup`<pre><code>${text}</code></pre>\n`.toString()
    },
    link({ href, tokens }) {
      return linked(targetOf(href), trusted(this.parser.parseInline(tokens)))
    },
    // The policy of pages (http/page-html.ts) loads no pictures from elsewhere, and the folder serves
    // only guides. So a picture becomes a link to it.
    image({ href, text }) {
      const target = targetOf(href)
      const isServed = href.startsWith('/') || target?.isOwn === false
      return linked(isServed ? target : undefined, markup`${text || 'Picture'}`)
    },
    // A table that is wider than a phone scrolls by itself, by keyboard too.
    table(token) {
      const table = Renderer.prototype.table.call(this, token)
      return `<div role="group" aria-label="Table" tabindex="0">${table}</div>\n`
    },
    checkbox({ checked }) {
      return checked ? '☑ ' : '☐ '
    },
  },
})

interface Target {
  readonly href: string
  readonly isOwn: boolean
}

function linked(target: Target | undefined, content: Markup): string {
  if (target === undefined) return content.toString()
  const { href, isOwn } = target
  if (isOwn || href.startsWith('mailto:')) {
    return markup`<a href="${href}">${content}</a>`.toString()
  }
  const note = markup`<span class="sr-only"> (opens in a new tab)</span>`
  return markup`<a href="${href}" target="_blank" rel="noopener noreferrer">${content}${note}</a>`.toString()
}

/** A placeholder without pages. Links that resolve to it lead to this site. */
const site = 'https://guides.invalid'
const outward = new Set(['http:', 'https:', 'mailto:'])

function targetOf(href: string): Target | undefined {
  if (href.startsWith('#')) return { href, isOwn: true }
  // A link to another guide's file, as editors and forges follow it.
  const [, file, fragment = ''] = /^(?:\.\/)?([a-z0-9-]+)\.md(#.*)?$/.exec(href) ?? []
  if (file !== undefined) return { href: `/library/${file}${fragment}`, isOwn: true }
  const url = URL.parse(href, `${site}/library/`)
  if (url === null || !outward.has(url.protocol)) return undefined
  if (url.origin !== site) return { href: url.href, isOwn: false }
  // A path that begins with two slashes would lead to another host.
  const path = url.pathname.replace(/^\/+/, '/')
  // Paths that the server itself answers, such as the API's documents, are not screens of the app.
  const isOwn = pathKind(path) !== 'server'
  return { href: `${path}${url.search}${url.hash}`, isOwn }
}

function plainText(token: Token): string {
  return textOf(token).replaceAll(/\s+/g, ' ').trim()
}

function textOf(token: Token): string {
  if (token.type === 'html') return ''
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(textOf).join('')
  return 'text' in token && typeof token.text === 'string' ? token.text : ' '
}

function cut(text: string, maxLength: number): string {
  const characters = Array.from(text)
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`
}

function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code'
}
