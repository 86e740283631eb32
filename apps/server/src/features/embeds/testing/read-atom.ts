import { readXml, type XmlElement } from './read-xml.ts'

interface AtomEntry {
  readonly id: string
  readonly title: string
  readonly updated: string
}

export interface AtomFeed extends AtomEntry {
  readonly self: string
  readonly page: string
  readonly entries: readonly AtomEntry[]
}

const date = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
/** RFC 4151: a name, a date on which it was somebody's, and their name for the thing. */
const tag = /^tag:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?,\d{4}-\d\d-\d\d:[\w/.-]+$/
const uuid = /^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Reads an Atom feed by the rules of RFC 4287 and of our IDs.
 * @throws Error if it breaks one
 */
export function readAtom(document: string): AtomFeed {
  const root = readXml(document)
  check(root.name === 'feed', 'the root is a feed')
  check(root.attributes['xmlns'] === 'http://www.w3.org/2005/Atom', 'its namespace is Atom’s')
  const entries = root.children.filter(({ name }) => name === 'entry').map(readEntry)
  check(uuid.test(textOf(root, 'id')), 'its id is a UUID')
  const author = only(root, 'author')
  check(textOf(author, 'name') !== '', 'its author has a name')
  const ids = new Set(entries.map(({ id }) => id))
  check(ids.size === entries.length, 'no id is there twice')
  const times = entries.map(({ updated }) => Date.parse(updated))
  check(
    times.every((time, i) => i === 0 || time <= (times[i - 1] ?? 0)),
    'newest first',
  )
  check(Date.parse(textOf(root, 'updated')) >= (times[0] ?? 0), 'updated with its newest entry')
  const known = new Set(['id', 'title', 'updated', 'author', 'link', 'entry'])
  check(
    root.children.every(({ name }) => known.has(name)),
    'elements of a feed',
  )
  return {
    ...readEntryLike(root),
    self: linkOf(root, 'self'),
    page: linkOf(root, 'alternate'),
    entries,
  }
}

function readEntry(entry: XmlElement): AtomEntry {
  check(tag.test(textOf(entry, 'id')), 'its id is a tag')
  // Without content, an entry needs an alternate link.
  linkOf(entry, 'alternate')
  const known = new Set(['id', 'title', 'updated', 'link'])
  check(
    entry.children.every(({ name }) => known.has(name)),
    'elements of an entry',
  )
  return readEntryLike(entry)
}

function readEntryLike(element: XmlElement): AtomEntry {
  const updated = textOf(element, 'updated')
  check(date.test(updated) && !Number.isNaN(Date.parse(updated)), 'a date of RFC 3339')
  return { id: textOf(element, 'id'), title: textOf(element, 'title'), updated }
}

function linkOf(element: XmlElement, rel: string): string {
  const links = element.children.filter(
    ({ name, attributes }) => name === 'link' && attributes['rel'] === rel,
  )
  const href = links[0]?.attributes['href'] ?? ''
  check(links.length === 1 && URL.canParse(href), `one link that is ${rel}`)
  return href
}

function textOf(element: XmlElement, name: string): string {
  const { text, children } = only(element, name)
  check(children.length === 0, `${name} is text`)
  return text
}

function only(element: XmlElement, name: string): XmlElement {
  const [found, ...more] = element.children.filter((child) => child.name === name)
  if (found === undefined || more.length > 0) throw new Error(`not one ${name}`)
  return found
}

function check(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`broken: ${rule}`)
}
