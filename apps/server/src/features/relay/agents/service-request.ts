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
    readonly kept: Pick<KeptStreams, 'keep'> | undefined
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
  keepAfterAnswer(stream, sent, kept)
  return sent
}

/** Keeps the stream for another request if the service agrees and has sent one answer, and not a byte more. */
function keepAfterAnswer(
  stream: FrameStream,
  sent: ClientRequest,
  kept: Pick<KeptStreams, 'keep'>,
): void {
  const end = new AnswerEnd()
  stream.onReceive = (part) => end.take(part)
  let answer: IncomingMessage | undefined
  let hasInterim = false
  sent.once('information', () => (hasInterim = true)).once('response', (found) => (answer = found))
  stream.once('free', () => {
    stream.onReceive = undefined
    if (answer === undefined || hasInterim || !end.isBehind(answer, sent.method)) stream.destroy()
    else kept.keep(stream, secondsToKeep(answer))
  })
}

/** How long the service keeps the connection; undefined if it does not say. */
function secondsToKeep({ headers, httpVersion }: IncomingMessage): number | undefined {
  // These schemes sign in a connection, not a request.
  const signsIn = /\b(?:ntlm|negotiate)\b/i.test(headers['www-authenticate'] ?? '')
  if (httpVersion !== '1.1' || signsIn) return 0
  const [, timeout] = /\btimeout=(\d+)/i.exec([headers['keep-alive']].flat().join()) ?? []
  return timeout === undefined ? undefined : Number(timeout)
}

/**
 * Counts the bytes of an answer. Node's parser takes the beginning of another answer behind it without a word, and it
 * would become part of the next one.
 */
class AnswerEnd {
  #bytes = 0
  #headBytes: number | undefined
  readonly #last = Buffer.alloc(5)

  take(part: Buffer): void {
    if (this.#headBytes === undefined) {
      const before = this.#last.subarray(-Math.min(3, this.#bytes), this.#bytes === 0 ? 0 : 5)
      const bytes = before.length === 0 ? part : Buffer.concat([before, part])
      const at = bytes.indexOf(blankLine)
      if (at !== -1) this.#headBytes = this.#bytes - before.length + at + blankLine.length
    }
    this.#bytes += part.length
    if (part.length < 5) this.#last.copyWithin(0, part.length)
    part.copy(this.#last, Math.max(0, 5 - part.length), Math.max(0, part.length - 5))
  }

  /** Whether nothing came behind this answer. */
  isBehind({ headers, statusCode = 0 }: IncomingMessage, method: string): boolean {
    if (this.#headBytes === undefined) return false
    const hasBody = method !== 'HEAD' && statusCode !== 204 && statusCode !== 304
    if (hasBody && headers['transfer-encoding'] !== undefined) {
      // A second empty line would be one too many.
      const text = this.#last.toString('latin1')
      return text.endsWith(blankLine) && !text.startsWith('\n')
    }
    const bodyBytes = hasBody ? Number(headers['content-length']) : 0
    return this.#bytes === this.#headBytes + bodyBytes
  }
}
