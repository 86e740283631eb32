export type Clock = () => number

const minReportedMs = 10_000

interface SteadyClockOptions {
  readonly wall?: Clock
  readonly elapsed?: () => number
  readonly onSetBack: (behindMs: number) => void
}

/** Never goes back. After the machine's clock is set back, it runs at its own pace until that catches up. */
export function steadyClock({
  wall = Date.now,
  elapsed = () => performance.now(),
  onSetBack,
}: SteadyClockOptions): Clock {
  let baseMs = wall()
  let baseElapsedMs = elapsed()
  let reportFromMs = minReportedMs
  return () => {
    const elapsedMs = elapsed()
    const steadyMs = baseMs + Math.floor(elapsedMs - baseElapsedMs)
    const wallMs = wall()
    if (wallMs > steadyMs) {
      baseMs = wallMs
      baseElapsedMs = elapsedMs
      return wallMs
    }
    const behindMs = steadyMs - wallMs
    if (behindMs >= reportFromMs) {
      onSetBack(behindMs)
      reportFromMs = behindMs + minReportedMs
    }
    return steadyMs
  }
}
