/** An element with its own text and its children. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  readonly text: string
}

const name = '[A-Za-z_][\\w.-]*'
const token = new RegExp(
  `<(?:(?<close>/${name})|(?<open>${name})(?<attributes>(?:\\s+${name}="[^"<]*")*)\\s*(?<empty>/?))>|(?<text>[^<]+)`,
  'y',
)
const attribute = new RegExp(`(${name})="([^"]*)"`, 'g')
const declaration = '<?xml version="1.0" encoding="utf-8"?>\n'
/** Characters that XML 1.0 allows. */
const characters = /^[\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]*$/u

/**
 * Reads a document of elements, attributes in double quotes and text.
 * @returns the root
 * @throws Error if it is not well-formed
 */
export function readXml(document: string): XmlElement {
  if (!document.startsWith(declaration)) throw new Error('no XML declaration')
  if (!characters.test(document)) throw new Error('a character that XML does not allow')
  const open: { element: XmlElement; children: XmlElement[]; text: string[] }[] = []
  let root: XmlElement | undefined
  token.lastIndex = declaration.length
  while (token.lastIndex < document.length) {
    const at = token.lastIndex
    const groups = token.exec(document)?.groups
    if (groups === undefined) throw new Error(`not well-formed at ${document.slice(at, at + 40)}`)
    if (groups['text'] !== undefined) {
      const text = unescaped(groups['text'])
      if (open.length === 0 && text.trim() !== '') throw new Error('text outside of the root')
      open.at(-1)?.text.push(text)
      continue
    }
    if (groups['open'] !== undefined) {
      if (root !== undefined && open.length === 0) throw new Error('a second root')
      const children: XmlElement[] = []
      const text: string[] = []
      const element = {
        name: groups['open'],
        attributes: readAttributes(groups['attributes'] ?? ''),
        children,
        get text() {
          return text.join('')
        },
      }
      root ??= element
      open.at(-1)?.children.push(element)
      if (groups['empty'] === '') open.push({ element, children, text })
      continue
    }
    const closed = open.pop()
    if (`/${closed?.element.name}` !== groups['close']) throw new Error(`closed ${groups['close']}`)
  }
  if (root === undefined || open.length > 0) throw new Error('unexpected end')
  return root
}

function readAttributes(written: string): Record<string, string> {
  const found = [...written.matchAll(attribute)].map(([, key = '', value = '']) => [key, value])
  const attributes = Object.fromEntries(found.map(([key, value = '']) => [key, unescaped(value)]))
  if (Object.keys(attributes).length < found.length) throw new Error('a duplicate attribute')
  return attributes
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

function unescaped(text: string): string {
  return text.replaceAll(/&[^;]*;?/g, (entity) => {
    const sign = entities[entity]
    if (sign === undefined) throw new Error(`unknown entity: ${entity}`)
    return sign
  })
}
