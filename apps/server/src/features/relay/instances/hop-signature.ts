import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'

/** What servers say to one another, on a connection and on each request that goes over it. */
export const hopHeader = 'astropelago-hop'
/** The island that a request is for, and the device whose agent carries it. */
export const hopTargetHeader = 'astropelago-hop-target'

/** What is older, or newer by the clock of whoever gets it, is refused. */
const validMs = 10_000

export const newHopKey = (): Uint8Array => randomBytes(32)

function mac(key: Uint8Array, ...parts: readonly (string | number)[]): Buffer {
  // As JSON no two lists of texts are the same.
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest()
}

function isMac(text: string | undefined, expected: Buffer): boolean {
  const given = Buffer.from(text ?? '', 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const isInTime = (atMs: number, nowMs: number): boolean => Math.abs(nowMs - atMs) <= validMs

interface Ends {
  readonly from: number
  readonly to: number
}

/** How a server begins a connection to another one, whose key it knows from their database. */
export class HopGreeting {
  readonly header: string
  readonly #key: Uint8Array
  readonly #own: Buffer

  constructor(key: Uint8Array, { from, to, nowMs }: Ends & { readonly nowMs: number }) {
    const nonce = randomBytes(16).toString('base64url')
    this.#key = key
    this.#own = mac(key, 'greeting', from, to, nowMs, nonce)
    this.header = `${from} ${to} ${nowMs} ${nonce} ${this.#own.toString('base64url')}`
  }

  /** @returns by what requests are signed; undefined where whoever answers does not know the key */
  accept(answer: string | undefined): HopSigner | undefined {
    const [nonce = '', proof] = answer?.split(' ') ?? []
    if (!isMac(proof, proofOf(this.#key, this.#own, nonce))) return undefined
    return new HopSigner(connectionKey(this.#key, this.#own, nonce))
  }
}

interface TakenGreeting {
  readonly from: number
  /** To be sent back: it shows that this server knows the key too. */
  readonly answer: string
  readonly checker: HopChecker
}

/** Judges how others begin their connections to this server. */
export class HopGreetings {
  readonly #key: Uint8Array
  readonly #to: number
  /** By nonce, when those were taken that are still valid: none is taken twice. */
  readonly #taken = new Map<string, number>()

  constructor(key: Uint8Array, to: number) {
    this.#key = key
    this.#to = to
  }

  /** @returns undefined where it is forged, for another server, old, or was taken before */
  take(header: string | undefined, nowMs: number): TakenGreeting | undefined {
    const [from = NaN, to = NaN, atMs = NaN] = header?.split(' ').map(Number) ?? []
    const [, , , nonce = '', given] = header?.split(' ') ?? []
    const expected = mac(this.#key, 'greeting', from, to, atMs, nonce)
    if (!isMac(given, expected) || to !== this.#to || !isInTime(atMs, nowMs)) return undefined
    for (const [old, takenMs] of this.#taken) {
      if (nowMs - takenMs > 2 * validMs) this.#taken.delete(old)
    }
    if (this.#taken.has(nonce)) return undefined
    this.#taken.set(nonce, nowMs)
    const answer = randomBytes(16).toString('base64url')
    const proof = proofOf(this.#key, expected, answer).toString('base64url')
    return {
      from,
      answer: `${answer} ${proof}`,
      checker: new HopChecker(connectionKey(this.#key, expected, answer)),
    }
  }
}

/** Signs requests of one connection. Each has a number: none can be sent twice, nor on another connection. */
export class HopSigner {
  readonly #key: Uint8Array
  #count = 0

  constructor(key: Uint8Array) {
    this.#key = key
  }

  sign(headers: OutgoingHttpHeaders, nowMs: number): string {
    this.#count += 1
    return `${this.#count} ${nowMs} ${mac(this.#key, this.#count, nowMs, ...said(headers)).toString('base64url')}`
  }
}

/** Judges them at the other end. */
export class HopChecker {
  readonly #key: Uint8Array
  #last = 0

  constructor(key: Uint8Array) {
    this.#key = key
  }

  isGood(headers: IncomingHttpHeaders, nowMs: number): boolean {
    const [number, at, given] = String(headers[hopHeader]).split(' ')
    const [count, atMs] = [Number(number), Number(at)]
    if (!isMac(given, mac(this.#key, count, atMs, ...said(headers)))) return false
    if (count <= this.#last || !isInTime(atMs, nowMs)) return false
    this.#last = count
    return true
  }
}

const proofOf = (key: Uint8Array, greeting: Buffer, answer: string): Buffer =>
  mac(key, 'answer', greeting.toString('base64url'), answer)

const connectionKey = (key: Uint8Array, greeting: Buffer, answer: string): Buffer =>
  mac(key, 'connection', greeting.toString('base64url'), answer)

/** What is asked, and all that the relay itself says of who asks: address, host, identity, target. */
function said(headers: OutgoingHttpHeaders): readonly string[] {
  const names = Object.keys(headers).filter(
    (name) => /^(?::|astropelago-|x-forwarded-)/.test(name) && name !== hopHeader,
  )
  return names.toSorted().flatMap((name) => [name, [headers[name]].flat().join(', ')])
}
