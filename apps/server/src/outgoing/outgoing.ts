import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
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

export type Outcome =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** The beginning of its body as text. */
      readonly text: string
      /** For how long it asks to be left alone. */
      readonly retryAfterMs: number | undefined
    }
  | {
      readonly kind: 'failed'
      /** `refused`: nothing is ever sent to such an address. */
      readonly reason: 'refused' | 'unanswered' | 'busy'
      /** For the person who entered the address. */
      readonly note: string
    }

export interface Outgoing {
  /** Never throws. Resolves with the outcome of a call, at the latest after `callTimeoutMs`. */
  readonly call: (call: OutgoingCall) => Promise<Outcome>
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

  const send = (url: URL, addresses: readonly string[], { method, headers, body }: OutgoingCall) =>
    new Promise<Outcome>((done) => {
      const isSecure = url.protocol === 'https:'
      const call = (isSecure ? httpsRequest : httpRequest)(url, {
        method,
        headers: {
          'user-agent': 'Astropelago',
          'accept-encoding': 'identity',
          ...headers,
          'content-length': Buffer.byteLength(body),
        },
        agent: false,
        lookup: lookupIn(addresses),
        maxHeaderSize: headersMaxBytes,
        ...(ca !== undefined && { ca }),
      })
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
      onConnected(call, isSecure, () => clearTimeout(connecting))
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

  return {
    isRefused: (address) => refusalOf(new URL(address)) !== undefined,
    call: async (call) => {
      const url = new URL(call.url)
      const refusal = refusalOf(url)
      if (refusal !== undefined) return { kind: 'failed', reason: 'refused', note: refusal }
      if (running >= callsAtOnce) {
        return { kind: 'failed', reason: 'busy', note: 'This server is sending too much just now.' }
      }
      running += 1
      try {
        const addresses = await addressesOf(bareHost(url.hostname), timeouts.connectMs)
        if (typeof addresses !== 'string') return await send(url, addresses, call)
        const reason = addresses === insideReason ? 'refused' : 'unanswered'
        return { kind: 'failed', reason, note: addresses }
      } catch (error) {
        // Node refuses to send this header or address.
        return { kind: 'failed', reason: 'unanswered', note: failureText(error) }
      } finally {
        running -= 1
      }
    },
  }
}

function onConnected(call: ClientRequest, isSecure: boolean, listener: () => void): void {
  call.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', listener))
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
