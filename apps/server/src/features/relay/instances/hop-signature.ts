import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2'

/** Servers prove themselves to one another in it, on a connection and on each of its requests. */
export const hopHeader = 'astropelago-hop'
/** The island of a request, and the device whose agent carries it. */
export const hopTargetHeader = 'astropelago-hop-target'

/** How far a signature's time may differ from the receiver's clock, either way. */
const validMs = 10_000

export const newHopKey = (): Uint8Array => randomBytes(32)

function mac(key: Uint8Array, ...parts: readonly (string | number)[]): Buffer {
  // JSON keeps different lists of parts distinct.
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

  /** @returns a signer for the connection's requests; undefined if the other end does not know the key */
  accept(answer: string | undefined): HopSigner | undefined {
    const [nonce = '', proof] = answer?.split(' ') ?? []
    if (!isMac(proof, proofOf(this.#key, this.#own, nonce))) return undefined
    return new HopSigner(connectionKey(this.#key, this.#own, nonce))
  }
}

interface TakenGreeting {
  readonly from: number
  readonly answer: string
  readonly checker: HopChecker
}

export class HopGreetings {
  readonly #key: Uint8Array
  readonly #to: number
  /** When each nonce was taken, kept while its greeting is valid, so that none is accepted twice. */
  readonly #taken = new Map<string, number>()

  constructor(key: Uint8Array, to: number) {
    this.#key = key
    this.#to = to
  }

  /** @returns undefined if the greeting is forged, for another server, expired or already taken */
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

/** Signs requests of one connection. Each has a number, so it can't be replayed anywhere. */
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

/** The signed part: the request, and everything that the relay says about the visitor. */
function said(headers: OutgoingHttpHeaders): readonly string[] {
  const names = Object.keys(headers).filter(
    (name) => /^(?::|astropelago-|x-forwarded-)/.test(name) && name !== hopHeader,
  )
  return names.toSorted().flatMap((name) => [name, [headers[name]].flat().join(', ')])
}
