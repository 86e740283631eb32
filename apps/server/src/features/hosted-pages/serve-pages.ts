import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { acceptsEncoding, isPageNavigation, matchesEtag } from '../../http/negotiation.ts'
import { nothingHere, redirect, sendLine } from '../../http/short-answers.ts'
import type { Content } from './deployments-store.ts'
import type { PageContents, PageFile, PageFiles } from './page-contents.ts'
import { pageHeaders, type PagePolicy } from './page-policy.ts'

/** A deployment at the host name of its island, or a draft at the preview's. */
export interface ServedPages {
  readonly islandKey: number
  readonly deploymentKey: number
  readonly policy: PagePolicy
  /** Whether somebody had to be let in to see it. */
  readonly isPrivate: boolean
  /** Shown while the island's own service is away: any path leads to the first page. */
  readonly isStandIn?: boolean
  /** Ends a long answer when its reader loses the right to it. Undefined if too many are under way. */
  readonly beginTransfer: (response: ServerResponse) => { readonly end: () => void } | undefined
}

export type ServePages = ReturnType<typeof createServePages>

/** @param report learns why a page could not be read */
export function createServePages(contents: PageContents, report: (error: unknown) => void) {
  return (response: ServerResponse, path: string, pages: ServedPages) => {
    const request = response.req
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      sendLine(response, {
        status: 405,
        text: 'Pages can only be read.\n',
        headers: { allow: 'GET, HEAD' },
      })
      return
    }
    // It would outlive that the island is hidden.
    if (request.headers['service-worker'] === 'script' && !pages.policy.isTrusted) {
      sendLine(response, { status: 403, text: 'Pages here can’t have service workers.\n' })
      return
    }
    const fail = (error: unknown) => {
      report(error)
      if (response.headersSent) response.destroy()
      else {
        const headers = { 'retry-after': '2' }
        sendLine(response, { status: 503, text: 'This page can’t be read right now.\n', headers })
      }
    }
    const found = contents.cachedFiles(pages.deploymentKey)
    if (found !== undefined) answer(found)
    else contents.files(pages.deploymentKey).then(answer).catch(fail)

    function answer(files: PageFiles): void {
      const target = findFile(files, path)
      if (target.redirect !== undefined) {
        sendLine(response, redirect(target.redirect, {}, 308))
        return
      }
      const isAway = pages.isStandIn === true
      const leadsHome = isAway && isPageNavigation(request.headers)
      const file = target.file ?? files.get(leadsHome ? 'index.html' : '404.html')
      if (file === undefined) {
        sendLine(response, nothingHere)
        return
      }
      const status = isAway && file.isPage ? 503 : target.file === undefined && !isAway ? 404 : 200
      send(request, response, { contents, pages, file, status }, fail)
    }
  }
}

interface Sending {
  readonly contents: PageContents
  readonly pages: ServedPages
  readonly file: PageFile
  readonly status: number
}

function send(
  { headers: asked, method }: IncomingMessage,
  response: ServerResponse,
  { contents, pages, file, status }: Sending,
  fail: (error: unknown) => void,
): void {
  const { islandKey, policy, isPrivate } = pages
  const { hash, bytes, gzipBytes } = file
  // Only GET has ranges (RFC 9110, 14.2).
  const hasRange = status === 200 && method === 'GET'
  const range = hasRange ? readRange(asked, bytes, file.plain.etag) : undefined
  const isGzip =
    range === undefined && gzipBytes !== null && acceptsEncoding(asked['accept-encoding'], 'gzip')
  const { etag, headers: own } = isGzip ? file.gzip : file.plain
  const headers = [
    ...pageHeaders(policy),
    ...own,
    'cache-control',
    isPrivate ? 'private, no-cache' : 'no-cache',
  ]
  if (status === 200 && matchesEtag(asked['if-none-match'], etag)) {
    response.writeHead(304, headers).end()
    return
  }
  if (range === 'unsatisfiable') {
    response.writeHead(416, [...headers, 'content-range', `bytes */${bytes}`]).end()
    return
  }
  const size = isGzip && gzipBytes !== null ? gzipBytes : bytes
  const { from, to } = range ?? { from: 0, to: size - 1 }
  headers.push('content-length', String(to - from + 1))
  if (range !== undefined) headers.push('content-range', `bytes ${from}-${to}/${bytes}`)
  const code = range === undefined ? status : 206
  if (method === 'HEAD' || size === 0) {
    response.writeHead(code, headers).end()
    return
  }
  const content: Content = { islandKey, hash, isGzip }
  if (contents.isCacheable(size)) {
    const sendAll = (body: Buffer) => {
      response
        .writeHead(code, headers)
        .end(range === undefined ? body : body.subarray(from, to + 1))
      // Most visitors have taken it all by now.
      if (response.writableLength === 0) return
      const transfer = pages.beginTransfer(response)
      if (transfer === undefined) response.destroy()
      else response.once('close', transfer.end)
    }
    const cached = contents.cached(content)
    if (cached !== undefined) sendAll(cached)
    else contents.read(content, size).then(sendAll).catch(fail)
    return
  }
  const body = contents.stream(content, { from, to })
  const transfer = pages.beginTransfer(response)
  if (transfer === undefined) {
    body.destroy()
    response.writeHead(503, { 'retry-after': '2', 'content-length': 0 }).end()
    return
  }
  response.writeHead(code, headers)
  pipeline(body, response, () => transfer.end())
}

type Target =
  | { readonly file: PageFile | undefined; readonly redirect?: undefined }
  | { readonly redirect: string; readonly file?: undefined }

/** `about` is about.html, and `docs/` is docs/index.html. */
function findFile(files: PageFiles, path: string): Target {
  const [pathname = '/'] = path.split('?', 1)
  const name = decode(pathname)
  if (name === undefined) return { file: undefined }
  if (name === '' || name.endsWith('/')) return { file: files.get(`${name}index.html`) }
  const file = files.get(name) ?? files.get(`${name}.html`)
  if (file !== undefined || !files.has(`${name}/index.html`)) return { file }
  // Its relative links count from the folder. Two slashes at the front would name another host.
  return { redirect: `/${pathname.replace(/^\/+/, '')}/${path.slice(pathname.length)}` }
}

function decode(pathname: string): string | undefined {
  try {
    return decodeURIComponent(pathname.slice(1)).normalize()
  } catch {
    return undefined
  }
}

/** One range. Several at once are answered with the whole, as RFC 9110, 14.2 allows. */
function readRange(
  { range, 'if-range': ifRange }: IncomingHttpHeaders,
  bytes: number,
  etag: string,
): { readonly from: number; readonly to: number } | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? []
  if (first + last === '' || (ifRange !== undefined && ifRange !== etag)) return undefined
  if (first === '') {
    const from = Math.max(0, bytes - Number(last))
    return Number(last) === 0 || bytes === 0 ? 'unsatisfiable' : { from, to: bytes - 1 }
  }
  const from = Number(first)
  const to = Math.min(last === '' ? Infinity : Number(last), bytes - 1)
  if (last !== '' && Number(last) < from) return undefined
  return from < bytes ? { from, to } : 'unsatisfiable'
}
