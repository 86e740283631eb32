const firstCapacity = 1024
const none = 0

/** Heartbeats of some devices, in the order of their keys. */
export interface HeartbeatSlice {
  readonly deviceKeys: readonly number[]
  readonly atMs: readonly number[]
}

/**
 * The last heartbeat of each device that is in the journal and not yet in the device's own row:
 * 8 bytes, indexed by device key, for each device that ever was.
 */
export class JournaledHeartbeats {
  #atMs = new Float64Array(firstCapacity)

  note(deviceKey: number, atMs: number): void {
    if (deviceKey >= this.#atMs.length) {
      const larger = new Float64Array(Math.max(deviceKey + 1, this.#atMs.length * 2))
      larger.set(this.#atMs)
      this.#atMs = larger
    }
    this.#atMs[deviceKey] = Math.max(atMs, this.#atMs[deviceKey] ?? none)
  }

  /** Undefined when the device's own row has its last heartbeat. */
  atMs(deviceKey: number): number | undefined {
    const atMs = this.#atMs[deviceKey]
    return atMs === none ? undefined : atMs
  }

  /** The first devices from a key on; fewer than `limit` when there are no more. */
  slice(fromKey: number, limit: number): HeartbeatSlice {
    const deviceKeys: number[] = []
    const atMs: number[] = []
    const { length } = this.#atMs
    for (let key = fromKey; key < length && deviceKeys.length < limit; key += 1) {
      const heartbeatMs = this.#atMs[key] ?? none
      if (heartbeatMs === none) continue
      deviceKeys.push(key)
      atMs.push(heartbeatMs)
    }
    return { deviceKeys, atMs }
  }

  /** To be called when these are in the rows of their devices; later ones stay. */
  drop({ deviceKeys, atMs }: HeartbeatSlice): void {
    for (const [i, key] of deviceKeys.entries()) {
      if (this.#atMs[key] === atMs[i]) this.#atMs[key] = none
    }
  }
}
