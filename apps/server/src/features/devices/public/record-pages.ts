const pageBytes = 1 << 20
/** Each record is preceded by its key and its capacity. */
const headerBytes = 8
/** A page with a smaller live share moves its records to the newest page. */
const liveShareWorthKeeping = 0.5
const firstCapacity = 1024

export const recordMaxBytes = 1 << 15

interface Page {
  readonly number: number
  readonly bytes: Buffer
  usedBytes: number
  liveBytes: number
}

/** Packs a small text for each integer key into large pages: six bytes a key, and nothing to collect. */
export class RecordPages {
  readonly #pages: (Page | undefined)[] = []
  readonly #vacantNumbers: number[] = []
  #newest = this.#addPage()
  /** The position of a key's record, counted through all pages; 0 for none. */
  #starts = new Uint32Array(firstCapacity)
  #lengths = new Uint16Array(firstCapacity)
  #size = 0

  get size(): number {
    return this.#size
  }

  get keyBound(): number {
    return this.#starts.length
  }

  get pagesHeld(): number {
    return this.#pages.length - this.#vacantNumbers.length
  }

  has(key: number): boolean {
    return (this.#starts[key] ?? 0) !== 0
  }

  /** The record itself: writing to it changes it. Undefined if there is none. */
  get(key: number): Buffer | undefined {
    const start = this.#starts[key] ?? 0
    if (start === 0) return undefined
    const at = start % pageBytes
    return this.#pageAt(start)?.bytes.subarray(at, at + (this.#lengths[key] ?? 0))
  }

  bytesOf(key: number): number {
    return this.has(key) ? (this.#lengths[key] ?? 0) : 0
  }

  /** Copies a record without making a view, which would make copying 100,000 take three times as long. */
  copy(key: number, target: Buffer, at: number): void {
    const start = this.#starts[key] ?? 0
    const from = start % pageBytes
    if (start === 0) return
    this.#pageAt(start)?.bytes.copy(target, at, from, from + (this.#lengths[key] ?? 0))
  }

  /** @throws RangeError if the text is longer than `recordMaxBytes` */
  set(key: number, text: string): void {
    const length = Buffer.byteLength(text)
    if (length > recordMaxBytes) throw new RangeError(`a record of ${length} bytes is too long`)
    this.#reserveKey(key)
    if (length > this.#room(key)) {
      this.delete(key)
      this.#starts[key] = this.#append(key, length)
      this.#size += 1
    }
    this.#lengths[key] = length
    const start = this.#starts[key] ?? 0
    this.#pageAt(start)?.bytes.write(text, start % pageBytes)
  }

  delete(key: number): void {
    const start = this.#starts[key] ?? 0
    const page = start === 0 ? undefined : this.#pageAt(start)
    if (page === undefined) return
    page.liveBytes -= headerBytes + this.#room(key)
    this.#starts[key] = 0
    this.#size -= 1
    if (page !== this.#newest && page.liveBytes < page.usedBytes * liveShareWorthKeeping) {
      this.#empty(page)
    }
  }

  /** The longest text that fits into the key's present place; -1 if it has none. */
  #room(key: number): number {
    const start = this.#starts[key] ?? 0
    if (start === 0) return -1
    return this.#pageAt(start)?.bytes.readUInt32LE((start % pageBytes) - 4) ?? -1
  }

  #append(key: number, room: number): number {
    if (this.#newest.usedBytes + headerBytes + room > pageBytes) this.#newest = this.#addPage()
    const page = this.#newest
    page.bytes.writeUInt32LE(key, page.usedBytes)
    page.bytes.writeUInt32LE(room, page.usedBytes + 4)
    const start = page.number * pageBytes + page.usedBytes + headerBytes
    page.usedBytes += headerBytes + room
    page.liveBytes += headerBytes + room
    return start
  }

  #empty(page: Page): void {
    let at = 0
    while (at < page.usedBytes) {
      const key = page.bytes.readUInt32LE(at)
      const room = page.bytes.readUInt32LE(at + 4)
      const from = at + headerBytes
      if (this.#starts[key] === page.number * pageBytes + from) {
        const length = this.#lengths[key] ?? 0
        const start = this.#append(key, length)
        this.#newest.bytes.set(page.bytes.subarray(from, from + length), start % pageBytes)
        this.#starts[key] = start
      }
      at = from + room
    }
    this.#pages[page.number] = undefined
    this.#vacantNumbers.push(page.number)
  }

  #addPage(): Page {
    const number = this.#vacantNumbers.pop() ?? this.#pages.length
    const bytes = Buffer.allocUnsafeSlow(pageBytes)
    const page: Page = { number, bytes, usedBytes: 0, liveBytes: 0 }
    this.#pages[number] = page
    return page
  }

  #pageAt(start: number): Page | undefined {
    return this.#pages[Math.floor(start / pageBytes)]
  }

  #reserveKey(key: number): void {
    if (key < this.#starts.length) return
    const capacity = Math.max(key + 1, this.#starts.length * 2)
    const starts = new Uint32Array(capacity)
    starts.set(this.#starts)
    this.#starts = starts
    const lengths = new Uint16Array(capacity)
    lengths.set(this.#lengths)
    this.#lengths = lengths
  }
}
