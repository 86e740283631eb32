import type { FrameStream } from '../frames/frame-stream.ts'

/** Services close idle connections after 5 s or more. */
const idleMs = 4000
/** After a second. Answers of many visitors may end in one turn, and their next requests come at once. */
const keptMax = 32
const burstMax = 256
const sweepMs = 1000

/** Streams to a service that wait for the next request. Rule [A21] of docs/relay.md. */
export class KeptStreams {
  readonly #streams: { readonly stream: FrameStream; readonly untilMs: number }[] = []
  readonly #onEmpty: () => void
  /** Runs while streams are kept: an island that nobody visits costs no timer. */
  #sweeps: NodeJS.Timeout | undefined
  #hasEnded = false

  /** @param onEmpty called when the last one is gone */
  constructor(onEmpty: () => void = () => undefined) {
    this.#onEmpty = onEmpty
  }

  get count(): number {
    return this.#streams.reduce((count, { stream }) => count + (stream.destroyed ? 0 : 1), 0)
  }

  take(): FrameStream | undefined {
    for (;;) {
      const last = this.#streams.pop()
      if (last === undefined) return undefined
      if (last.stream.destroyed) continue
      if (last.untilMs > performance.now()) return last.stream
      last.stream.destroySoon()
    }
  }

  /**
   * Keeps a stream after an answer, if a turn of the event loop brings nothing.
   * @param seconds how long the service keeps an idle connection; undefined if it does not say
   */
  keep(stream: FrameStream, seconds: number | undefined): void {
    const ms = seconds === undefined ? idleMs : Math.min(idleMs, (seconds - 1) * 1000)
    this.#beginSweeps()
    setImmediate(() => {
      if (stream.destroyed) return
      const isFull = this.#hasEnded || this.#streams.length >= burstMax
      if (isFull || ms <= 0 || stream.hasGrown) stream.destroySoon()
      else {
        this.#streams.push({ stream, untilMs: performance.now() + ms })
        this.#beginSweeps()
      }
    })
  }

  /** Call it when no more requests will come. */
  end(): void {
    this.#hasEnded = true
    this.#endSweeps()
    for (const { stream } of this.#streams.splice(0)) stream.destroySoon()
  }

  #sweep(): void {
    const nowMs = performance.now()
    const newest = this.#streams.length - keptMax
    const left = this.#streams.filter(({ stream, untilMs }, at) => {
      const isKept = !stream.destroyed && untilMs > nowMs && at >= newest
      if (!isKept) stream.destroySoon()
      return isKept
    })
    this.#streams.splice(0, Infinity, ...left)
    if (left.length > 0) return
    this.#endSweeps()
    this.#onEmpty()
  }

  #beginSweeps(): void {
    if (!this.#hasEnded) this.#sweeps ??= setInterval(() => this.#sweep(), sweepMs).unref()
  }

  #endSweeps(): void {
    clearInterval(this.#sweeps)
    this.#sweeps = undefined
  }
}
