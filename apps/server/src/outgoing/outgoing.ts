import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Clock } from '../clock.ts'
import { badPorts } from './bad-ports.ts'
import { failureNote } from './failure-note.ts'
import { isGlobalAddress, nat64 } from './global-address.ts'
import { resolveByDns, resolveByMachine, type ResolveName } from './resolve-names.ts'
import { retryAfterMs } from './retry-after.ts'

export interface OutgoingCall {
  readonly method: 'POST' | 'PUT'
  /** A whole http or https address. */
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
      /** How long it asks to be left alone. */
      readonly retryAfterMs: number | undefined
    }
  | {
      readonly kind: 'failed'
      /** `refused`: nothing is ever sent to such an address. */
      readonly reason: 'refused' | 'unanswered' | 'busy'
      /** For whoever named the address. */
      readonly note: string
    }

/** Calls addresses that users name. */
export interface Outgoing {
  /** Never throws: what comes of a call is its outcome, at the latest after `callTimeoutMs`. */
  readonly call: (call: OutgoingCall) => Promise<Outcome>
  /** Whether an address is refused without a look at what its name means now. */
  readonly isRefused: (url: string) => boolean
}

const connectTimeoutMs = 5000
const callTimeoutMs = 10_000
export const answerMaxBytes = 4096
const headersMaxBytes = 16 * 1024
export const callsAtOnce = 200

interface OutgoingOptions {
  readonly clock: Clock
  /** This server's own host names, below which nothing is called either. */
  readonly ownHosts: readonly string[]
  /** Whether addresses of this machine and its networks may be called: for a home network, by its operator. */
  readonly allowsPrivate: boolean
  readonly resolve?: ResolveName
  readonly mayReach?: (address: string) => boolean
  /** This machine's own addresses, which can be global ones. */
  readonly ownAddresses?: () => readonly string[]
  /** Certificates that are trusted instead of the usual ones. */
  readonly ca?: string
  readonly timeouts?: { readonly connectMs: number; readonly callMs: number }
}

const insideNote =
  'This address is inside a network, or this server’s own: nothing is sent there from here.'
const portNote = 'Nothing is sent to this port: programs listen there that speak no HTTP.'

/**
 * An HTTP client that reaches nothing inside: the addresses of a name are all looked at, and the connection
 * goes to one of those and no other. It follows no redirects, keeps no connection, and reads the beginning of
 * an answer alone.
 */
export function createOutgoing(options: OutgoingOptions): Outgoing {
  const { clock, allowsPrivate, ca } = options
  const { ownAddresses = addressesOfMachine } = options
  const { resolve = allowsPrivate ? resolveByMachine : resolveByDns } = options
  const { timeouts = { connectMs: connectTimeoutMs, callMs: callTimeoutMs } } = options
  const {
    mayReach = (address: string) =>
      allowsPrivate || (isGlobalAddress(address) && !isOneOf(address, ownAddresses())),
  } = options
  const ownHosts = options.ownHosts.map((host) => host.toLowerCase())
  let running = 0

  const isOwnName = (name: string) =>
    ownHosts.some((own) => name === own || name.endsWith(`.${own}`))

  const refusalOf = (url: URL): string | undefined => {
    if (badPorts.has(url.port === '' ? 80 : Number(url.port))) return portNote
    const host = hostOf(url)
    if (isIP(host) !== 0) return mayReach(host) ? undefined : insideNote
    const isLocal = host === 'localhost' || host.endsWith('.localhost')
    return !allowsPrivate && (isLocal || isOwnName(host)) ? insideNote : undefined
  }

  /** All of a name's addresses, or why none is dialled. */
  const addressesOf = async (host: string): Promise<readonly string[] | string> => {
    if (isIP(host) !== 0) return [host]
    try {
      const addresses = await inTime(resolve(host), timeouts.connectMs)
      if (addresses.length === 0) return failureNote(codedError('ENOTFOUND'))
      return addresses.every(mayReach) ? addresses : insideNote
    } catch (error) {
      return failureNote(error)
    }
  }

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
        // What has been looked at is what is dialled, whatever the name means by now.
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
        // Its status says what came of the call: who took a message must not get it again. What there is ends as read.
        else answer.destroy()
      }, timeouts.callMs)
      const connecting = setTimeout(
        () => fail('It can’t be reached: nothing answered in time.'),
        timeouts.connectMs,
      )
      onConnected(call, isSecure, () => clearTimeout(connecting))
      // Stays on after the end: what is destroyed may still say so.
      call.on('error', (error) => fail(failureNote(error)))
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
        const addresses = await addressesOf(hostOf(url))
        if (typeof addresses !== 'string') return await send(url, addresses, call)
        const reason = addresses === insideNote ? 'refused' : 'unanswered'
        return { kind: 'failed', reason, note: addresses }
      } catch (error) {
        // A header or an address that Node refuses to send.
        return { kind: 'failed', reason: 'unanswered', note: failureNote(error) }
      } finally {
        running -= 1
      }
    },
  }
}

function codedError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code })
}

async function inTime<Result>(result: Promise<Result>, limitMs: number): Promise<Result> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(codedError('ETIMEOUT')), limitMs)
  try {
    return await Promise.race([result, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

function lookupIn(addresses: readonly string[]): LookupFunction {
  const known = addresses.map((address) => ({ address, family: isIP(address) }))
  const [first = { address: '', family: 0 }] = known
  return (_, { all }, callback) => {
    if (all === true) callback(null, known)
    else callback(null, first.address, first.family)
  }
}

/** Without the brackets of IPv6 and the dot that may end a name. Decimal, octal and hex forms are IPv4 already. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((own = []) => own.map(({ address }) => address))
}

/** In whatever form, that of NAT64 included. */
function isOneOf(address: string, addresses: readonly string[]): boolean {
  const list = new BlockList()
  for (const own of addresses) {
    const isV4 = isIP(own) === 4
    list.addAddress(own, isV4 ? 'ipv4' : 'ipv6')
    if (isV4) list.addAddress(nat64(own), 'ipv6')
  }
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

function onConnected(call: ClientRequest, isSecure: boolean, listener: () => void): void {
  call.on('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', listener))
}

/** Resolves at the end, at `answerMaxBytes`, or when the connection breaks: with what there is. */
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
