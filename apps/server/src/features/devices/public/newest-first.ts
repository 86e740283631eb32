import { setImmediate as otherWork } from 'node:timers/promises'
import type { RecordPages } from './record-pages.ts'

/** Steps in one turn of the event loop: about 0.5 ms. */
const stepsPerTurn = 20_000
const bucketCount = 1 << 16
/** Bits for a position in the order. `limit` must fit. */
const placeBits = 17
const placesPerWord = 2 ** (32 - placeBits)

interface NewestFirstOptions {
  readonly records: Pick<RecordPages, 'has' | 'size' | 'keyBound'>
  /** Null for a device that never reported. Those come last. */
  readonly lastSeenMs: (key: number) => number | null
  readonly limit: number
}

/**
 * The keys seen last, newest first, equal times by key, at most `limit` (up to 131,072). A million keys take
 * about 50 ms in total, and no turn takes longer than the sort (10 ms).
 */
export async function newestFirst(options: NewestFirstOptions): Promise<Uint32Array> {
  const { keys, seenMs } = await gather(options)
  const { limit } = options
  const chosen = keys.length > limit ? await chooseNewest(keys, seenMs, limit) : { keys, seenMs }
  return sortNewestFirst(chosen.keys, chosen.seenMs)
}

interface Seen {
  readonly keys: Uint32Array
  readonly seenMs: Float64Array
}

// The loops below count indices. Iterating over entries creates an array for each and takes three times
// as long.

async function gather({ records, lastSeenMs }: NewestFirstOptions): Promise<Seen> {
  const { size: count, keyBound } = records
  const keys = new Uint32Array(count)
  const seenMs = new Float64Array(count)
  let length = 0
  for (let key = 0; key < keyBound && length < count; key += 1) {
    if (key % stepsPerTurn === 0) await otherWork()
    if (!records.has(key)) continue
    keys[length] = key
    seenMs[length] = lastSeenMs(key) ?? -1
    length += 1
  }
  return { keys: keys.subarray(0, length), seenMs: seenMs.subarray(0, length) }
}

async function chooseNewest(keys: Uint32Array, seenMs: Float64Array, limit: number): Promise<Seen> {
  const { oldestMs, oldestTaken } = await findOldest(seenMs, limit)
  const chosen = { keys: new Uint32Array(limit), seenMs: new Float64Array(limit) }
  let length = 0
  let taken = 0
  for (let i = 0; i < seenMs.length; i += 1) {
    if (i % stepsPerTurn === 0) await otherWork()
    const ms = seenMs[i] ?? -1
    if (ms < oldestMs || (ms === oldestMs && taken >= oldestTaken)) continue
    if (ms === oldestMs) taken += 1
    chosen.keys[length] = keys[i] ?? 0
    chosen.seenMs[length] = ms
    length += 1
  }
  return chosen
}

/** The oldest time that belongs to the `limit` newest, and how many keys with exactly that time do. */
async function findOldest(
  seenMs: Float64Array,
  limit: number,
): Promise<{ readonly oldestMs: number; readonly oldestTaken: number }> {
  let lowMs = Number.POSITIVE_INFINITY
  let highMs = Number.NEGATIVE_INFINITY
  for (let i = 0; i < seenMs.length; i += 1) {
    if (i % stepsPerTurn === 0) await otherWork()
    const ms = seenMs[i] ?? -1
    lowMs = Math.min(lowMs, ms)
    highMs = Math.max(highMs, ms)
  }
  let wanted = limit
  let widthMs = highMs - lowMs + 1
  // A radix selection: each pass narrows the time down to one bucket.
  while (widthMs > 1) {
    const bucketMs = Math.ceil(widthMs / bucketCount)
    const counts = new Uint32Array(bucketCount)
    for (let i = 0; i < seenMs.length; i += 1) {
      if (i % stepsPerTurn === 0) await otherWork()
      const ms = seenMs[i] ?? -1
      if (ms < lowMs || ms >= lowMs + widthMs) continue
      const bucket = Math.floor((ms - lowMs) / bucketMs)
      counts[bucket] = (counts[bucket] ?? 0) + 1
    }
    let bucket = bucketCount - 1
    while (bucket > 0 && (counts[bucket] ?? 0) < wanted) {
      wanted -= counts[bucket] ?? 0
      bucket -= 1
    }
    lowMs += bucket * bucketMs
    widthMs = bucketMs
  }
  return { oldestMs: lowMs, oldestTaken: wanted }
}

function sortNewestFirst(keys: Uint32Array, seenMs: Float64Array): Uint32Array {
  // Time and position in one unsigned number, because only a sort without a comparator is fast.
  const numbers = new BigUint64Array(keys.length)
  const words = new Uint32Array(numbers.buffer)
  const lastPlace = keys.length - 1
  for (let i = 0; i < seenMs.length; i += 1) {
    const fromNever = (seenMs[i] ?? -1) + 1
    words[2 * i + 1] = Math.floor(fromNever / placesPerWord)
    words[2 * i] = (fromNever % placesPerWord) * 2 ** placeBits + (lastPlace - i)
  }
  numbers.sort()
  const order = new Uint32Array(keys.length)
  for (let i = 0; i < order.length; i += 1) {
    const place = (words[2 * (lastPlace - i)] ?? 0) % 2 ** placeBits
    order[i] = keys[lastPlace - place] ?? 0
  }
  return order
}
