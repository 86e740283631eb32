import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import type { FrameStream } from '../frames/frame-stream.ts'
import type { KeptStreams } from './kept-streams.ts'

const blankLine = '\r\n\r\n'
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
  passAnswerApart(stream, sent)
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

/**
 * Lets the end of an answer be the end of what Node's parser gets at once. The parser would take the beginning of
 * another answer behind it without a word.
 */
function passAnswerApart(stream: FrameStream, sent: ClientRequest): void {
  /** Of a body with a length. Headers and chunks end with a blank line. */
  let bodyLeft: number | undefined
  let lastBytes = ''
  stream.pieceLength = (bytes) => {
    if (bodyLeft === 0) return bytes.length
    if (bodyLeft !== undefined) {
      const length = Math.min(bodyLeft, bytes.length)
      bodyLeft -= length
      return length
    }
    const length = lengthToBlankLine(lastBytes, bytes)
    lastBytes = (lastBytes + bytes.toString('latin1', Math.max(0, length - 3), length)).slice(-3)
    return length
  }
  sent.once('response', ({ headers }: IncomingMessage) => {
    if (headers['transfer-encoding'] === undefined) {
      bodyLeft = Number(headers['content-length'] ?? Infinity)
    }
  })
}

/** All bytes if there is no blank line. It may have begun in the bytes before. */
function lengthToBlankLine(before: string, bytes: Buffer): number {
  for (const length of [1, 2, 3]) {
    const isSplit =
      before.endsWith(blankLine.slice(0, -length)) &&
      bytes.toString('latin1', 0, length) === blankLine.slice(-length)
    if (isSplit) return length
  }
  const at = bytes.indexOf(blankLine)
  return at === -1 ? bytes.length : at + blankLine.length
}
