import type { GuideBlock } from '@astropelago/contract/guides'
import { Marked, type Token, type Tokens } from 'marked'

interface Guide {
  readonly title: string
  /** The paragraph below the title, as plain text. */
  readonly summary: string
  readonly blocks: readonly GuideBlock[]
}

/** The path of the guide in another file of the folder; undefined if there is none. */
type GuidePath = (file: string) => string | undefined

interface GuideOptions {
  readonly pathOf: GuidePath
  /** What screen readers say after a link to another site. */
  readonly newTab: string
}

/**
 * Parses a guide of docs/guides: a title, a paragraph that introduces it, and the rest. Code is separate
 * from the text, so that the page can add copy buttons.
 * @throws for content that the page can't show properly, such as a broken link
 */
export function parseGuide(markdown: string, options: GuideOptions): Guide {
  const marked = createMarked(options)
  const [title, summary, ...rest] = marked.lexer(markdown).filter(({ type }) => type !== 'space')
  if (!isHeading(title) || title.depth !== 1) throw new Error('A guide begins with its title.')
  if (summary?.type !== 'paragraph')
    throw new Error('Below its title a guide says what it is about.')
  // walkTokens returns a promise only for asynchronous callbacks, and there are none.
  void marked.walkTokens(rest, refuseWhatIsNotShown)
  return { title: textOf(title), summary: textOf(summary), blocks: blocksOf(rest, marked) }
}

function blocksOf(tokens: readonly Token[], marked: Marked): GuideBlock[] {
  const blocks: GuideBlock[] = []
  let text: Token[] = []
  const endText = () => {
    if (text.length > 0) blocks.push({ kind: 'text', html: marked.parser(text).trim() })
    text = []
  }
  for (const token of tokens) {
    if (!isCode(token)) {
      if (token.type === 'list') refuseCodeIn(token)
      text.push(token)
      continue
    }
    endText()
    const [language = '', ...label] = (token.lang ?? '').split(' ')
    if (label.length === 0) throw new Error(`Code without a word on where it goes: ${token.text}`)
    blocks.push({ kind: 'code', language, label: label.join(' '), text: token.text })
  }
  endText()
  return blocks
}

function createMarked({ pathOf, newTab }: GuideOptions): Marked {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${idOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens)
        const path = ownPath(href, pathOf)
        if (path !== undefined) return `<a href="${attribute(path)}">${text}</a>`
        const note = `<span class="sr-only"> (${newTab})</span>`
        return `<a href="${attribute(href)}" target="_blank" rel="noopener noreferrer">${text}${note}</a>`
      },
    },
  })
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}

/** The path of a link within this site; undefined for links to other sites. */
function ownPath(href: string, pathOf: GuidePath): string | undefined {
  if (href.startsWith('https://')) return undefined
  if (href.startsWith('/') || href.startsWith('#')) return href
  const [file = '', fragment] = href.split('#')
  const path = pathOf(file)
  if (path === undefined) throw new Error(`A link leads nowhere: ${href}`)
  return fragment === undefined ? path : `${path}#${fragment}`
}

function refuseWhatIsNotShown({ type, raw }: Token): void {
  if (type === 'html') throw new Error(`HTML in a guide: ${raw}`)
  if (type === 'image') throw new Error(`A picture in a guide: ${raw}`)
}

function refuseCodeIn({ raw }: Token): void {
  if (raw.includes('```')) throw new Error(`Code within a list, where it has no button: ${raw}`)
}

/** The text without links and emphasis. */
function textOf(token: Token): string {
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(textOf).join('')
  return 'text' in token && typeof token.text === 'string' ? token.text.replaceAll('\n', ' ') : ''
}

function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

function isHeading(token: Token | undefined): token is Tokens.Heading {
  return token?.type === 'heading'
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code'
}

/** The guides below one heading of the table of contents, in order. */
interface ContentsPart {
  readonly title: string
  readonly files: readonly string[]
}

/**
 * Parses the table of contents, docs/guides/README.md: headings, each followed by a list of links to
 * guides.
 */
export function parseContents(markdown: string): ContentsPart[] {
  const marked = new Marked()
  const parts: { title: string; files: string[] }[] = []
  for (const token of marked.lexer(markdown)) {
    if (isHeading(token) && token.depth === 2) parts.push({ title: token.text, files: [] })
    if (token.type !== 'list') continue
    void marked.walkTokens([token], (inner) => {
      if (inner.type === 'link' && 'href' in inner) parts.at(-1)?.files.push(String(inner.href))
    })
  }
  return parts
}
