import type { TokenScope } from '@astropelago/contract/devices'
import type { DeviceCaller } from '../../http/callers.ts'

const scopes: readonly TokenScope[] = ['report', 'relay']
const hashBytes = 32
const firstCapacity = 1024
/** Values of a slot that holds no entry's index. */
const empty = -1
const deleted = -2

type CachedToken = DeviceCaller & { readonly scope: TokenScope }

/**
 * Maps the SHA-256 of each device token to its device: open addressing in typed arrays, about 55 bytes a
 * token and 4 a device. A heartbeat looks here instead of in the database, which costs a hundred times as
 * much. Hashes are passed as latin1 text, which is faster to make than bytes.
 */
export class TokenTable {
  #hashes = new Uint8Array(firstCapacity * hashBytes)
  #tokenKeys = new Int32Array(firstCapacity)
  #deviceKeys = new Int32Array(firstCapacity)
  #scopes = new Uint8Array(firstCapacity)
  /** A linked list of each device's tokens, so that deleting a device does not scan all tokens. */
  #firstOfDevice = new Int32Array(firstCapacity).fill(empty)
  #nextOfDevice = new Int32Array(firstCapacity).fill(empty)
  /** Indices of entries by the first bytes of their hash. At least twice as many as entries. */
  #slots = new Int32Array(firstCapacity * 2).fill(empty)
  /** Entries and markers of deleted ones. Both lengthen a search. */
  #slotsTaken = 0
  #end = 0
  readonly #free: number[] = []

  add(digest: string, { tokenKey, deviceKey, scope }: CachedToken): void {
    if (this.#indexOf(digest) !== empty) return
    const index = this.#free.pop() ?? this.#end++
    this.#reserve(index)
    for (let i = 0; i < hashBytes; i += 1) {
      this.#hashes[index * hashBytes + i] = digest.charCodeAt(i)
    }
    this.#tokenKeys[index] = tokenKey
    this.#deviceKeys[index] = deviceKey
    this.#scopes[index] = scopes.indexOf(scope)
    this.#reserveDevice(deviceKey)
    this.#nextOfDevice[index] = this.#firstOfDevice[deviceKey] ?? empty
    this.#firstOfDevice[deviceKey] = index
    this.#link(index)
  }

  /** Undefined also if the token has another scope. */
  find(digest: string, scope: TokenScope): DeviceCaller | undefined {
    const index = this.#indexOf(digest)
    if (index === empty || scopes[this.#scopes[index] ?? 0] !== scope) return undefined
    return { tokenKey: this.#tokenKeys[index] ?? 0, deviceKey: this.#deviceKeys[index] ?? 0 }
  }

  has({ tokenKey, deviceKey }: DeviceCaller): boolean {
    let index = this.#firstOfDevice[deviceKey] ?? empty
    while (index !== empty && this.#tokenKeys[index] !== tokenKey) {
      index = this.#nextOfDevice[index] ?? empty
    }
    return index !== empty
  }

  deleteDevice(deviceKey: number): void {
    for (;;) {
      const index = this.#firstOfDevice[deviceKey] ?? empty
      if (index === empty) return
      this.#deleteAt(index)
    }
  }

  #deleteAt(index: number): void {
    for (let slot = this.#firstSlot(index); ; slot = this.#nextSlot(slot)) {
      if (this.#slots[slot] !== index) continue
      this.#slots[slot] = deleted
      break
    }
    this.#unlinkFromDevice(index)
    this.#tokenKeys[index] = 0
    this.#deviceKeys[index] = 0
    this.#free.push(index)
  }

  #unlinkFromDevice(index: number): void {
    const deviceKey = this.#deviceKeys[index] ?? 0
    const next = this.#nextOfDevice[index] ?? empty
    if (this.#firstOfDevice[deviceKey] === index) {
      this.#firstOfDevice[deviceKey] = next
      return
    }
    let before = this.#firstOfDevice[deviceKey] ?? empty
    while (this.#nextOfDevice[before] !== index) before = this.#nextOfDevice[before] ?? empty
    this.#nextOfDevice[before] = next
  }

  #indexOf(digest: string): number {
    if (digest.length !== hashBytes) return empty
    let slot = slotOf(
      digest.charCodeAt(0),
      digest.charCodeAt(1),
      digest.charCodeAt(2),
      digest.charCodeAt(3),
      this.#slots.length,
    )
    for (; ; slot = this.#nextSlot(slot)) {
      const index = this.#slots[slot] ?? empty
      if (index === empty || (index !== deleted && this.#isAt(index, digest))) return index
    }
  }

  #isAt(index: number, digest: string): boolean {
    const start = index * hashBytes
    for (let i = 0; i < hashBytes; i += 1) {
      if (this.#hashes[start + i] !== digest.charCodeAt(i)) return false
    }
    return true
  }

  #firstSlot(index: number): number {
    const at = index * hashBytes
    const hashes = this.#hashes
    return slotOf(
      hashes[at] ?? 0,
      hashes[at + 1] ?? 0,
      hashes[at + 2] ?? 0,
      hashes[at + 3] ?? 0,
      this.#slots.length,
    )
  }

  #nextSlot(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1)
  }

  #link(index: number): void {
    let slot = this.#firstSlot(index)
    while (this.#slots[slot] !== empty) slot = this.#nextSlot(slot)
    this.#slots[slot] = index
    this.#slotsTaken += 1
    // At most half full, so that an unsuccessful search ends after a step or two.
    if (this.#slotsTaken * 2 > this.#slots.length) this.#relink()
  }

  #relink(): void {
    const used = this.#end - this.#free.length
    const isFull = used * 4 > this.#slots.length
    this.#slots = new Int32Array(this.#slots.length * (isFull ? 2 : 1)).fill(empty)
    this.#slotsTaken = 0
    for (let index = 0; index < this.#end; index += 1) {
      if (this.#tokenKeys[index] !== 0) this.#link(index)
    }
  }

  #reserve(index: number): void {
    const { length } = this.#tokenKeys
    if (index < length) return
    const hashes = new Uint8Array(length * 2 * hashBytes)
    hashes.set(this.#hashes)
    this.#hashes = hashes
    this.#tokenKeys = doubled(this.#tokenKeys)
    this.#deviceKeys = doubled(this.#deviceKeys)
    const scopesOfTokens = new Uint8Array(length * 2)
    scopesOfTokens.set(this.#scopes)
    this.#scopes = scopesOfTokens
    this.#nextOfDevice = doubled(this.#nextOfDevice)
  }

  #reserveDevice(deviceKey: number): void {
    const { length } = this.#firstOfDevice
    if (deviceKey < length) return
    const first = new Int32Array(Math.max(deviceKey + 1, length * 2)).fill(empty)
    first.set(this.#firstOfDevice)
    this.#firstOfDevice = first
  }
}

function slotOf(a: number, b: number, c: number, d: number, slots: number): number {
  return (a | (b << 8) | (c << 16) | (d << 24)) & (slots - 1)
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}
