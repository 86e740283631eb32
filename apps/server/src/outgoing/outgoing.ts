import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { badPorts } from './bad-ports.ts'
import { failureText } from './failure-text.ts'
import { isGlobalAddress, nat64 } from './global-address.ts'
import { resolveByDns, resolveByMachine, type ResolveName } from './resolve-names.ts'
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

interface OutgoingOptions {
  readonly clock: Clock
  /** This server's own host names. Names below them are refused too. */
  readonly ownHosts: readonly string[]
  /** Whether addresses of this machine and its networks are allowed, which an operator may want at home. */
  readonly allowsPrivate: boolean
  readonly resolve?: ResolveName
  readonly mayReach?: (address: string) => boolean
  /** This machine's own addresses, which can be global. */
  readonly ownAddresses?: () => readonly string[]
  /** Certificates that are trusted instead of the usual ones. */
  readonly ca?: string
  readonly timeouts?: { readonly connectMs: number; readonly callMs: number }
}

const insideNote =
  'This address is inside a network, or this server’s own: nothing is sent there from here.'
const portNote = 'Nothing is sent to this port: programs listen there that speak no HTTP.'

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

  /** All addresses of a name, or why none is dialled. */
  const addressesOf = async (host: string): Promise<readonly string[] | string> => {
    if (isIP(host) !== 0) return [host]
    try {
      const addresses = await inTime(resolve(host), timeouts.connectMs)
      if (addresses.length === 0) return failureText(codedError('ENOTFOUND'))
      return addresses.every(mayReach) ? addresses : insideNote
    } catch (error) {
      return failureText(error)
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
        // Dial the address that was checked, whatever the name resolves to by now.
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
        const addresses = await addressesOf(hostOf(url))
        if (typeof addresses !== 'string') return await send(url, addresses, call)
        const reason = addresses === insideNote ? 'refused' : 'unanswered'
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

/**
 * Without the brackets of IPv6 and without a trailing dot. Decimal, octal and hexadecimal forms have become
 * IPv4 already.
 */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
}

function addressesOfMachine(): string[] {
  return Object.values(networkInterfaces()).flatMap((own = []) => own.map(({ address }) => address))
}

/** In any form, including NAT64. */
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
