export interface HtmlTag {
  readonly tag: string
  readonly isEnd: boolean
  readonly attributes: ReadonlyMap<string, string>
  readonly at: number
}

interface HtmlText {
  readonly text: string
  /** The element whose content has no tags, such as `script`; empty for text between tags. */
  readonly of: string
  readonly at: number
}

const attributesMax = 100

/** The ends of elements whose content has no tags. */
const rawEnds = new Map(
  ['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes'].map((name) => [
    name,
    new RegExp(`</${name}(?=[\\s/>])`, 'gi'),
  ]),
)

const tagStart = /<(\/?)([a-z][^\s/>]*)/iy
const attribute = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y
const commentEnd = /--!?>/g

/**
 * Splits HTML into tags and texts, in one pass, as tolerantly as browsers do. No expression here goes over
 * the same characters again and again: a missing quote or end is searched for once.
 */
export function* htmlParts(html: string): Generator<HtmlTag | HtmlText> {
  let at = 0
  while (at < html.length) {
    const open = indexOrEnd(html.indexOf('<', at), html)
    if (open > at) yield { text: html.slice(at, open), of: '', at }
    if (html.startsWith('<!--', open)) {
      // From the first hyphen on, since `<!-->` is a whole comment.
      commentEnd.lastIndex = open + 2
      at = commentEnd.test(html) ? commentEnd.lastIndex : html.length
      continue
    }
    tagStart.lastIndex = open
    const [start = '', slash, name] = tagStart.exec(html) ?? []
    if (name === undefined) {
      at = open + 1
      continue
    }
    const tag = name.toLowerCase()
    const { attributes, end } = readAttributes(html, open + start.length)
    if (end > html.length) return
    const isEnd = slash === '/'
    yield { tag, isEnd, attributes, at: open }
    at = end
    const rawEnd = isEnd ? undefined : rawEnds.get(tag)
    if (rawEnd === undefined) continue
    rawEnd.lastIndex = at
    const close = indexOrEnd(rawEnd.exec(html)?.index ?? -1, html)
    yield { text: html.slice(at, close), of: tag, at }
    at = close
  }
}

/** The end is beyond the HTML if the tag has none. */
function readAttributes(html: string, from: number) {
  const attributes = new Map<string, string>()
  attribute.lastIndex = from
  let end = from
  for (let found = attribute.exec(html); found !== null; found = attribute.exec(html)) {
    end = attribute.lastIndex
    const [, name = '', double, single, bare] = found
    const key = name.toLowerCase()
    // Of two with the same name, browsers take the first.
    if (attributes.size >= attributesMax || attributes.has(key)) continue
    attributes.set(key, decodeEntities(double ?? single ?? bare ?? ''))
  }
  return { attributes, end: indexOrEnd(html.indexOf('>', end), html) + 1 }
}

function indexOrEnd(index: number, html: string): number {
  return index < 0 ? html.length : index
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  colon: ':',
  sol: '/',
}

/** Numbers, and the few names that matter in addresses and titles. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));?/gi,
    (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}
