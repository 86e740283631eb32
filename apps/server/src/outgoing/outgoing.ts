import {
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { failureText } from './failure-text.ts'
import {
  bareHost,
  insideReason,
  judgeAddresses,
  lookupIn,
  type AddressRules,
} from './judge-addresses.ts'
import { retryAfterMs } from './retry-after.ts'

export interface OutgoingCall {
  readonly method: 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface Failed {
  readonly kind: 'failed'
  /** `refused`: nothing is ever sent to such an address. */
  readonly reason: 'refused' | 'unanswered' | 'busy'
  /** For the person who entered the address. */
  readonly note: string
}

export type Outcome =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** The beginning of its body as text. */
      readonly text: string
      /** For how long it asks to be left alone. */
      readonly retryAfterMs: number | undefined
    }
  | Failed

export interface OutgoingGet {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Opened =
  | { readonly kind: 'opened'; readonly status: number; readonly answer: IncomingMessage }
  | Failed

export type ReadOutcome =
  | { readonly kind: 'read'; readonly status: number; readonly text: string }
  | Failed

export interface Outgoing {
  /** Never throws. Resolves with the outcome of a call, at the latest after `callTimeoutMs`. */
  readonly call: (call: OutgoingCall) => Promise<Outcome>
  /**
   * Never throws. Resolves when an answer begins, at the latest after `callTimeoutMs`. Its body is the
   * caller's to bound in time and size, and to end by `answer.destroy()` or the signal. What is written there
   * stops when the caller stops reading.
   */
  readonly open: (get: OutgoingGet & { readonly signal: AbortSignal }) => Promise<Opened>
  /** Never throws. Reads a whole body of at most so many bytes, within `callTimeoutMs` twice. */
  readonly read: (get: OutgoingGet & { readonly maxBytes: number }) => Promise<ReadOutcome>
  readonly isRefused: (url: string) => boolean
}

const connectTimeoutMs = 5000
const callTimeoutMs = 10_000
export const answerMaxBytes = 4096
const headersMaxBytes = 16 * 1024
export const callsAtOnce = 200

interface OutgoingOptions extends AddressRules {
  readonly clock: Clock
  /** Certificates that are trusted instead of the usual ones. */
  readonly ca?: string
  readonly timeouts?: { readonly connectMs: number; readonly callMs: number }
}

/** The host names of this server. No address that a user enters may lead back to it. */
export function hostNamesOf({
  publicUrl,
  relayDomain,
  instanceUrl,
}: Pick<Config, 'publicUrl' | 'relayDomain' | 'instanceUrl'>): string[] {
  const urls = [publicUrl, instanceUrl].filter((url) => url !== undefined)
  return [
    ...urls.map((url) => new URL(url).hostname),
    ...(relayDomain === undefined ? [] : [relayDomain]),
  ]
}

/**
 * An HTTP client that reaches nothing inside. It checks all addresses of a name and connects to one of
 * those it checked. It follows no redirects, keeps no connection open, and reads only the beginning of an
 * answer.
 */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  const { clock, ca } = options
  const { timeouts = { connectMs: connectTimeoutMs, callMs: callTimeoutMs } } = options
  const { refusalOf, addressesOf } = judgeAddresses(options)
  let running = 0

  const requestTo = (
    url: URL,
    addresses: readonly string[],
    { headers, ...how }: Pick<RequestOptions, 'method' | 'signal'> & Pick<OutgoingCall, 'headers'>,
  ): ClientRequest =>
    (isSecure(url) ? httpsRequest : httpRequest)(url, {
      ...how,
      headers: { 'user-agent': 'Astropelago', 'accept-encoding': 'identity', ...headers },
      agent: false,
      lookup: lookupIn(addresses),
      maxHeaderSize: headersMaxBytes,
      ...(ca !== undefined && { ca }),
    })

  const send = (url: URL, addresses: readonly string[], { method, headers, body }: OutgoingCall) =>
    new Promise<Outcome>((done) => {
      const length = { 'content-length': String(Buffer.byteLength(body)) }
      const call = requestTo(url, addresses, { method, headers: { ...headers, ...length } })
      const end = (outcome: Outcome) => {
        clearTimeout(whole)
        clearTimeout(connecting)
        call.destroy()
        done(outcome)
      }
      const fail = (note: string) => end({ kind: 'failed', reason: 'unanswered', note })
      let answer: IncomingMessage | undefined
      const whole = setTimeout(() => {
        if (answer === undefined) fail('It took too long to answer.')
        // The status decides the outcome: a receiver that took the message must not get it again. What
        // has arrived of the body is enough.
        else answer.destroy()
      }, timeouts.callMs)
      const connecting = setTimeout(
        () => fail('It can’t be reached: nothing answered in time.'),
        timeouts.connectMs,
      )
      onConnected(call, isSecure(url), () => clearTimeout(connecting))
      // Keep listening after the end: a destroyed request may still emit errors.
      call.on('error', (error) => fail(failureText(error)))
      call.on('response', (response) => {
        answer = response
        const { statusCode = 0, headers: answered } = response
        void readBeginning(response).then((text) =>
          end({
            kind: 'answered',
            status: statusCode,
            text,
            retryAfterMs: retryAfterMs(answered['retry-after'], clock()),
          }),
        )
      })
      call.end(body)
    })

  const begin = (
    url: URL,
    addresses: readonly string[],
    { headers = {}, signal }: OutgoingGet & { readonly signal: AbortSignal },
  ) =>
    new Promise<Opened>((done) => {
      const call = requestTo(url, addresses, { method: 'GET', headers, signal })
      const end = (opened: Opened) => {
        clearTimeout(whole)
        clearTimeout(connecting)
        if (opened.kind === 'failed') call.destroy()
        done(opened)
      }
      const fail = (note: string) => end({ kind: 'failed', reason: 'unanswered', note })
      const whole = setTimeout(() => fail('It took too long to answer.'), timeouts.callMs)
      const connecting = setTimeout(
        () => fail('It can’t be reached: nothing answered in time.'),
        timeouts.connectMs,
      )
      onConnected(call, isSecure(url), () => clearTimeout(connecting))
      call.on('error', (error) => fail(failureText(error)))
      call.on('response', (answer) => {
        // It may break before its reader listens.
        answer.on('error', () => undefined)
        end({ kind: 'opened', status: answer.statusCode ?? 0, answer })
      })
      call.end()
    })

  /** @param dial is called with addresses that may be reached */
  const judged = async <Result>(
    address: string,
    dial: (url: URL, addresses: readonly string[]) => Promise<Result>,
  ): Promise<Result | Failed> => {
    const url = new URL(address)
    const refusal = refusalOf(url)
    if (refusal !== undefined) return { kind: 'failed', reason: 'refused', note: refusal }
    if (running >= callsAtOnce) {
      return { kind: 'failed', reason: 'busy', note: 'This server is sending too much just now.' }
    }
    running += 1
    try {
      const addresses = await addressesOf(bareHost(url.hostname), timeouts.connectMs)
      if (typeof addresses !== 'string') return await dial(url, addresses)
      const reason = addresses === insideReason ? 'refused' : 'unanswered'
      return { kind: 'failed', reason, note: addresses }
    } catch (error) {
      // Node refuses to send this header or address.
      return { kind: 'failed', reason: 'unanswered', note: failureText(error) }
    } finally {
      running -= 1
    }
  }

  const open: Outgoing['open'] = (get) =>
    judged(get.url, (url, addresses) => begin(url, addresses, get))

  return {
    isRefused: (address) => refusalOf(new URL(address)) !== undefined,
    call: (call) => judged(call.url, (url, addresses) => send(url, addresses, call)),
    open,
    read: async ({ maxBytes, ...get }) => {
      const opened = await open({ ...get, signal: AbortSignal.timeout(2 * timeouts.callMs) })
      if (opened.kind === 'failed') return opened
      const { status, answer } = opened
      const text = await readWhole(answer, maxBytes)
      if (text !== undefined) return { kind: 'read', status, text }
      return { kind: 'failed', reason: 'unanswered', note: 'Its answer is too long, or broke off.' }
    },
  }
}

function isSecure(url: URL): boolean {
  return url.protocol === 'https:'
}

function onConnected(call: ClientRequest, byTls: boolean, listener: () => void): void {
  call.on('socket', (socket) => socket.once(byTls ? 'secureConnect' : 'connect', listener))
}

async function readWhole(answer: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of answer as AsyncIterable<Buffer>) {
      length += part.length
      // Leaving the loop ends the connection.
      if (length > maxBytes) return undefined
      parts.push(part)
    }
  } catch {
    return undefined
  }
  return Buffer.concat(parts).toString()
}

/** Resolves with what has arrived, at the end, at `answerMaxBytes`, or when the connection breaks. */
function readBeginning(response: IncomingMessage): Promise<string> {
  return new Promise((done) => {
    const parts: Buffer[] = []
    let length = 0
    const end = () => done(Buffer.concat(parts).subarray(0, answerMaxBytes).toString())
    response.on('data', (part: Buffer) => {
      parts.push(part)
      length += part.length
      if (length >= answerMaxBytes) end()
    })
    response.on('end', end)
    response.on('error', end)
    response.on('close', end)
  })
}
