import { Suspicion, type BlockedAddress } from '@astropelago/contract/hosted-pages'
import { contentType } from './content-types.ts'
import { decodeEntities, htmlParts, type HtmlTag } from './html-parts.ts'
import { nameFinder } from './name-lookalikes.ts'
import type { PageFile } from './page-files.ts'
import { shorten } from './site-paths.ts'

export interface InspectOptions {
  readonly siteName: string
  /** The installation's own hosts. */
  readonly siteHosts: readonly string[]
  /** Where the island's pages are; with the port if the address has one. */
  readonly ownHosts: readonly string[]
  /** Whether an operator trusts the island's host. */
  readonly allowsHttps: boolean
}

type What = BlockedAddress['what']

export interface Inspection {
  /** What the policy of hosted pages blocks, as far as it can be read from the files. */
  readonly blocked: readonly BlockedAddress[]
  /** The page asks for a password, or is named like the installation. */
  readonly suspicion: Suspicion | null
}

/** In one file, as far as it was looked at. */
const blockedMax = 10
const inspectedMaxBytes = 1024 * 1024

const httpsLoads: ReadonlySet<What> = new Set(['picture', 'media', 'font', 'frame', 'request'])

/** What an attribute of an element loads. */
const loads: ReadonlyMap<string, What> = new Map([
  ['script src', 'script'],
  ['img src', 'picture'],
  ['img srcset', 'picture'],
  ['source srcset', 'picture'],
  ['video poster', 'picture'],
  ['input src', 'picture'],
  ['image href', 'picture'],
  ['image xlink:href', 'picture'],
  ['source src', 'media'],
  ['video src', 'media'],
  ['audio src', 'media'],
  ['track src', 'media'],
  ['iframe src', 'frame'],
  ['frame src', 'frame'],
  ['embed src', 'frame'],
  ['object data', 'frame'],
  ['form action', 'form'],
  ['button formaction', 'form'],
  ['input formaction', 'form'],
])

/** What a `link` loads, by words of its `rel`, or of its `as` if it is to be there early. */
const links: readonly (readonly [RegExp, What])[] = [
  [/\bstylesheet\b|\bstyle$/, 'style'],
  [/\bmodulepreload\b|\bscript$/, 'script'],
  [/\bicon\b|\bapple-touch-icon\b|\bimage$/, 'picture'],
  [/\bfont$/, 'font'],
  [/\b(?:audio|video|track)$/, 'media'],
  [/\bmanifest\b|\bfetch$/, 'request'],
]

export function inspectPages(files: readonly PageFile[], options: InspectOptions): Inspection {
  const blocked: BlockedAddress[] = []
  const found = { password: false, name: false }
  const hasSiteName = nameFinder([options.siteName, ...options.siteHosts])
  for (const { path, bytes } of files) {
    const type = contentType(path)
    const [, scan] = scans.find(([pattern]) => pattern.test(type)) ?? []
    if (scan === undefined) continue
    const text = decode(bytes.subarray(0, inspectedMaxBytes))
    const lineOf = lineCounter(text)
    const headings: string[] = []
    scan(text, 0, {
      load: (what, address, at) => {
        if (blocked.length >= blockedMax || !isBlocked(what, address, options)) return
        blocked.push({ path, line: lineOf(at), address: shorten(address.trim()), what })
      },
      heading: (words) => headings.push(words),
      password: () => {
        found.password = true
      },
    })
    found.name ||= hasSiteName(headings)
  }
  return { blocked, suspicion: Suspicion.options.find((suspicion) => found[suspicion]) ?? null }
}

interface Finder {
  load(what: What, address: string, at: number): void
  heading(text: string): unknown
  password(): void
}

type Scan = (text: string, at: number, finder: Finder) => void

/** By what browsers take a file for: they show a page of XML too. */
const scans: readonly (readonly [RegExp, Scan])[] = [
  [/\/html|[/+]xml/, scanHtml],
  [/\/css/, scanCss],
  [/\/javascript/, scanScript],
]

/** A byte order mark counts more than our content type. */
function decode(bytes: Uint8Array): string {
  const mark = `${bytes[0]} ${bytes[1]}`
  const encoding = mark === '255 254' ? 'utf-16le' : mark === '254 255' ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

function isBlocked(what: What, address: string, { ownHosts, allowsHttps }: InspectOptions) {
  if (!/^\s*(?:(?:https?|wss?):|[/\\]{2})/i.test(address)) return false
  const url = URL.parse(address, 'https://island.invalid')
  if (url === null || ownHosts.includes(url.host)) return false
  return !(allowsHttps && url.protocol === 'https:' && httpsLoads.has(what))
}

/** Counts each line once, since the places in a file come in order. */
function lineCounter(text: string): (at: number) => number {
  let [line, counted] = [1, 0]
  return (at) => {
    for (; counted < at; counted += 1) if (text[counted] === '\n') line += 1
    return line
  }
}

function scanHtml(html: string, start: number, finder: Finder): void {
  let heading: string | undefined
  let scriptType = ''
  const endHeading = () => {
    if (heading !== undefined) finder.heading(decodeEntities(heading))
  }
  for (const part of htmlParts(html)) {
    const at = start + part.at
    if ('text' in part) {
      if (part.of === '') {
        if (heading !== undefined) heading += part.text
      } else scanRawText(part.text, part.of, scriptType, at, finder)
      continue
    }
    if (/^h[1-6]$/.test(part.tag)) {
      endHeading()
      heading = part.isEnd ? undefined : ''
    }
    if (part.isEnd) continue
    scriptType = part.attributes.get('type') ?? ''
    scanTag(part, at, finder)
  }
  endHeading()
}

function scanRawText(text: string, of: string, scriptType: string, at: number, finder: Finder) {
  if (of === 'title') finder.heading(decodeEntities(text))
  if (of === 'style') scanCss(text, at, finder)
  const isScript = of === 'script' && /^$|^module$|javascript/i.test(scriptType)
  if (isScript) scanScript(text, at, finder)
  else if (passwordField.test(text)) finder.password()
}

function scanTag({ tag, attributes }: HtmlTag, at: number, finder: Finder) {
  if (tag === 'input' && attributes.get('type')?.toLowerCase() === 'password') finder.password()
  for (const [name, value] of attributes) {
    const load =
      name === 'href' && tag === 'link' ? linkLoads(attributes) : loads.get(`${tag} ${name}`)
    if (load !== undefined) {
      const addresses = name === 'srcset' ? value.split(/[\s,]+/) : [value]
      for (const address of addresses) finder.load(load, address, at)
    }
    if (name === 'style') scanCss(value, at, finder)
    if (name.startsWith('on') || name === 'srcdoc') scanScript(value, at, finder)
  }
}

function linkLoads(attributes: ReadonlyMap<string, string>): What | undefined {
  const rel = attributes.get('rel')?.toLowerCase() ?? ''
  const words = /\bpreload\b/.test(rel) ? `${rel} ${attributes.get('as')?.toLowerCase()}` : rel
  return links.find(([pattern]) => pattern.test(words))?.[1]
}

const cssParts =
  /\/\*|@font-face|\}|@import\s+(?:url\(\s*)?["']?([^"')\s;]+)|url\(\s*["']?([^"')]*)/gi

function scanCss(css: string, start: number, finder: Finder): void {
  let isFont = false
  for (const { 0: whole, 1: style, 2: address, index } of scanParts(css, cssParts)) {
    if (style !== undefined) finder.load('style', style, start + index)
    else if (address !== undefined) {
      finder.load(isFont ? 'font' : 'picture', address, start + index)
    } else isFont = whole !== '}'
  }
}

/** Comments count only at the start of a line, since strings and expressions contain `//` and `/*` too. */
const scriptParts =
  /^[ \t]*\/\/.*|^[ \t]*\/\*|\b(import|from|importScripts|Worker|fetch|WebSocket|EventSource|sendBeacon)\s*(?:\(\s*)?(["'`])((?:https?:|wss?:)?\/\/[^"'`\s]*)/gm

/** Covers `input.type = 'password'`, `{ type: 'password' }` and HTML in strings. */
const passwordField = /\btype["'`]?\s*[=:,]\s*(?:\\?["'`])?password\b/i

function scanScript(script: string, start: number, finder: Finder): void {
  if (passwordField.test(script)) finder.password()
  for (const { 1: call, 3: address, index } of scanParts(script, scriptParts)) {
    if (call === undefined || address === undefined) continue
    const what = /^(?:fetch|WebSocket|EventSource|sendBeacon)$/.test(call) ? 'request' : 'script'
    finder.load(what, address, start + index)
  }
}

/** The matches of a pattern that are not in comments. It has to match the start of a comment. */
function* scanParts(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  const parts = new RegExp(pattern)
  for (let part = parts.exec(text); part !== null; part = parts.exec(text)) {
    if (part[0].trimStart() === '/*') {
      const end = text.indexOf('*/', parts.lastIndex)
      if (end < 0) return
      parts.lastIndex = end + 2
    } else yield part
  }
}
