import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Servers prove themselves to one another in it. */
export const hopHeader = 'astropelago-hop'

/** How far a greeting's time may differ from the receiver's clock, either way. */
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

  /** Whether the other end knows the key as well. */
  isAnsweredBy(answer: string | undefined): boolean {
    const [nonce = '', proof] = answer?.split(' ') ?? []
    return isMac(proof, proofOf(this.#key, this.#own, nonce))
  }
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

  /** @returns the answer; undefined if the greeting is forged, for another server, expired or already taken */
  take(header: string | undefined, nowMs: number): string | undefined {
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
    return `${answer} ${proofOf(this.#key, expected, answer).toString('base64url')}`
  }
}

const proofOf = (key: Uint8Array, greeting: Buffer, answer: string): Buffer =>
  mac(key, 'answer', greeting.toString('base64url'), answer)
