import type { FrameStream } from '../frames/frame-stream.ts'

/** Services close idle connections after 5 s or more. */
const idleMs = 4000
const keptMax = 32

/** Streams to a service that wait for the next request. Rule [A21] of docs/relay.md. */
export class KeptStreams {
  readonly #streams: { readonly stream: FrameStream; readonly untilMs: number }[] = []
  readonly #sweeps: NodeJS.Timeout
  #hasEnded = false

  constructor() {
    this.#sweeps = setInterval(() => this.#sweep(), 1000)
    this.#sweeps.unref()
  }

  get count(): number {
    return this.#streams.filter(({ stream }) => !stream.destroyed).length
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
    setImmediate(() => {
      if (stream.destroyed) return
      if (this.#hasEnded || ms <= 0 || this.#streams.length >= keptMax) stream.destroySoon()
      else this.#streams.push({ stream, untilMs: performance.now() + ms })
    })
  }

  /** Call it when no more requests will come. */
  end(): void {
    this.#hasEnded = true
    clearInterval(this.#sweeps)
    for (const { stream } of this.#streams.splice(0)) stream.destroySoon()
  }

  #sweep(): void {
    const nowMs = performance.now()
    const left = this.#streams.filter(({ stream, untilMs }) => {
      const isKept = !stream.destroyed && untilMs > nowMs
      if (!isKept) stream.destroySoon()
      return isKept
    })
    this.#streams.splice(0, Infinity, ...left)
  }
}
