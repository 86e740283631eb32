import { DueQueue } from '../../due-queue.ts'

const none = -1
const firstCapacity = 1024

/**
 * The online devices in the order of their last heartbeat, as a linked list in typed arrays indexed by
 * device key. All devices share one window, so this is also the order of their deadlines: a heartbeat takes
 * constant time, and a sweep takes time for the devices that flip, not for those that exist.
 * Device keys are given in order and never reused, so each device that ever was takes 17 bytes.
 *
 * Devices with schedules of their own are kept apart, in the order of when the sweep looks at them next. A
 * heartbeat does not move them: their deadline is found when they would have been due without it.
 */
export class OnlineQueue {
  #lastSeenMs = new Float64Array(firstCapacity).fill(Number.NaN)
  #older = new Int32Array(firstCapacity)
  #newer = new Int32Array(firstCapacity)
  #isOnline = new Uint8Array(firstCapacity)
  /** Which server took a device's last heartbeat. Empty while there is only one server. */
  #takers: Int32Array<ArrayBuffer> | undefined
  /** 1 for a device with a schedule of its own. Empty while there is none. */
  #isApart: Uint8Array<ArrayBuffer> | undefined
  readonly #apart = new DueQueue()
  #oldest = none
  #newest = none
  readonly #unrecorded = new Set<number>()
  /** The device last inserted between others. Late heartbeats, such as another server's, arrive in order. */
  #lastLate = none
  #knownCount = 0
  #onlineCount = 0

  lastSeenMs(key: number): number | null {
    const lastSeenMs = this.#lastSeenMs[key]
    return lastSeenMs === undefined || Number.isNaN(lastSeenMs) ? null : lastSeenMs
  }

  isOnline(key: number): boolean {
    return this.#isOnline[key] === 1
  }

  /** Whether a device is online and on record as online. A heartbeat of any other device is a flip. */
  isOnRecord(key: number): boolean {
    return this.isOnline(key) && !this.#unrecorded.has(key)
  }

  get knownCount(): number {
    return this.#knownCount
  }

  get onlineCount(): number {
    return this.#onlineCount
  }

  taker(key: number): number | undefined {
    const taker = this.#takers?.[key] ?? none
    return taker === none ? undefined : taker
  }

  /** A late heartbeat takes a step for each device between it and the previous late one. */
  touch(key: number, atMs: number, taker?: number): void {
    this.#reserve(key)
    if (taker !== undefined) this.#setTaker(key, taker)
    this.#unlink(key)
    this.#setLastSeen(key, atMs)
    this.#isOnline[key] = 1
    this.#onlineCount += 1
    this.#enqueue(key, atMs)
  }

  /** For a device on record as offline. Its next heartbeat is an ordinary flip. */
  touchUnrecorded(key: number, lastSeenMs: number): void {
    this.touch(key, lastSeenMs)
    this.#unrecorded.add(key)
  }

  setOffline(key: number, lastSeenMs: number): void {
    this.#reserve(key)
    this.#unlink(key)
    this.#apart.delete(key)
    this.#setLastSeen(key, lastSeenMs)
  }

  forget(key: number): void {
    this.#unlink(key)
    this.#apart.delete(key)
    if (this.#isApart?.[key] === 1) this.#isApart[key] = 0
    if (this.lastSeenMs(key) === null) return
    this.#lastSeenMs[key] = Number.NaN
    this.#knownCount -= 1
  }

  /** Call it again when its schedule changes: the sweep then looks at it. */
  setApart(key: number, isApart: boolean): void {
    if (!isApart && this.#isApart?.[key] !== 1) return
    this.#reserve(key)
    const isUnrecorded = this.#unrecorded.has(key)
    const isOnline = this.isOnline(key)
    this.#unlink(key)
    this.#apart.delete(key)
    this.#isApart ??= new Uint8Array(this.#lastSeenMs.length)
    this.#isApart[key] = isApart ? 1 : 0
    if (!isOnline) return
    this.touch(key, this.#lastSeenMs[key] ?? 0)
    if (isUnrecorded) this.#unrecorded.add(key)
  }

  /** The next device kept apart that the sweep has to look at; `lookAt` keeps it. */
  takeApart(untilMs: number): number | undefined {
    return this.#apart.take(untilMs)
  }

  lookAt(key: number, atMs: number): void {
    this.#apart.set(key, atMs)
  }

  /** When the device reported that has been silent for longest of those kept apart and online. */
  oldestApartMs(): number {
    let oldestMs = Number.POSITIVE_INFINITY
    for (const key of this.#apart.keys()) {
      oldestMs = Math.min(oldestMs, this.#lastSeenMs[key] ?? oldestMs)
    }
    return oldestMs
  }

  /** The device that was just yielded may be removed meanwhile. */
  *longestSilentFirst(): Generator<number> {
    let key = this.#oldest
    while (key !== none) {
      const newer = this.#newer[key] ?? none
      yield key
      key = newer
    }
  }

  /** The online device that reported last, at this time or before it. */
  #lastUntil(atMs: number): number {
    const isLater = (key: number) => (this.#lastSeenMs[key] ?? 0) > atMs
    if (this.#newest === none || !isLater(this.#newest)) return this.#newest
    if (isLater(this.#oldest)) return none
    let last = this.#lastLate === none ? this.#newest : this.#lastLate
    while (last !== none && isLater(last)) last = this.#older[last] ?? none
    let newer = last === none ? this.#oldest : (this.#newer[last] ?? none)
    while (newer !== none && !isLater(newer)) {
      last = newer
      newer = this.#newer[newer] ?? none
    }
    return last
  }

  #enqueue(key: number, atMs: number): void {
    if (this.#isApart?.[key] === 1) {
      // Its deadline is later than this, and later heartbeats only move it further.
      if (!this.#apart.has(key)) this.#apart.set(key, atMs)
      return
    }
    const older = this.#lastUntil(atMs)
    if (older !== this.#newest) this.#lastLate = key
    this.#linkAfter(older, key)
  }

  #linkAfter(older: number, key: number): void {
    const newer = older === none ? this.#oldest : (this.#newer[older] ?? none)
    this.#older[key] = older
    this.#newer[key] = newer
    if (older === none) this.#oldest = key
    else this.#newer[older] = key
    if (newer === none) this.#newest = key
    else this.#older[newer] = key
  }

  #unlink(key: number): void {
    if (this.#isOnline[key] !== 1) return
    this.#isOnline[key] = 0
    this.#unrecorded.delete(key)
    this.#onlineCount -= 1
    if (this.#isApart?.[key] === 1) return
    const older = this.#older[key] ?? none
    const newer = this.#newer[key] ?? none
    if (older === none) this.#oldest = newer
    else this.#newer[older] = newer
    if (newer === none) this.#newest = older
    else this.#older[newer] = older
    if (this.#lastLate === key) this.#lastLate = older
  }

  #setLastSeen(key: number, lastSeenMs: number): void {
    if (this.lastSeenMs(key) === null) this.#knownCount += 1
    this.#lastSeenMs[key] = lastSeenMs
  }

  #setTaker(key: number, taker: number): void {
    this.#takers ??= new Int32Array(this.#lastSeenMs.length).fill(none)
    this.#takers[key] = taker
  }

  #reserve(key: number): void {
    const { length } = this.#lastSeenMs
    if (key < length) return
    const capacity = Math.max(key + 1, length * 2)
    const lastSeenMs = new Float64Array(capacity).fill(Number.NaN, length)
    lastSeenMs.set(this.#lastSeenMs)
    this.#lastSeenMs = lastSeenMs
    this.#older = grown(this.#older, capacity)
    this.#newer = grown(this.#newer, capacity)
    const isOnline = new Uint8Array(capacity)
    isOnline.set(this.#isOnline)
    this.#isOnline = isOnline
    if (this.#isApart !== undefined) {
      const isApart = new Uint8Array(capacity)
      isApart.set(this.#isApart)
      this.#isApart = isApart
    }
    if (this.#takers === undefined) return
    const takers = new Int32Array(capacity).fill(none, length)
    takers.set(this.#takers)
    this.#takers = takers
  }
}

function grown(array: Int32Array, capacity: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(capacity)
  larger.set(array)
  return larger
}
