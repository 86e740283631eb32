import { request, type ClientRequest } from 'node:http'
import type { FrameStream } from '../frames/frame-stream.ts'
import type { KeptStreams } from './kept-streams.ts'

const headersMaxBytes = 64 * 1024

/**
 * Begins an HTTP request to a service on a stream. Its caller ends it.
 * @param options.headers each name followed by its value, with `Host` and all that concerns the body
 * @param options.kept where the stream waits for the next request; undefined if it serves this one alone
 * @throws if HTTP/1.1 can't carry the request
 */
export function requestService(
  stream: FrameStream,
  options: {
    readonly method: string
    readonly path: string
    readonly headers: readonly string[]
    readonly kept: KeptStreams | undefined
  },
): ClientRequest {
  const { method, path, kept } = options
  const isUpgrade = options.headers.some((part, at) => at % 2 === 0 && part === 'upgrade')
  const connection = isUpgrade ? 'upgrade' : kept ? 'keep-alive' : 'close'
  stream.isStrict = true
  const sent = request({
    createConnection: () => stream,
    method,
    path,
    headers: [...options.headers, 'connection', connection],
    maxHeaderSize: headersMaxBytes,
  })
  // The headers' size is the limit. Above a count, Node would silently drop the rest.
  sent.maxHeadersCount = 0
  if (kept === undefined) return sent
  sent.shouldKeepAlive = true
  let seconds: number | undefined
  sent.once('response', ({ headers, httpVersion }) => {
    const [, timeout] = /\btimeout=(\d+)/i.exec([headers['keep-alive']].flat().join()) ?? []
    if (timeout !== undefined) seconds = Number(timeout)
    const asked = headers['www-authenticate'] ?? ''
    // These schemes sign in a connection, not a request.
    if (httpVersion !== '1.1' || /\b(?:ntlm|negotiate)\b/i.test(asked)) seconds = 0
  })
  stream.once('free', () => kept.keep(stream, seconds))
  return sent
}
