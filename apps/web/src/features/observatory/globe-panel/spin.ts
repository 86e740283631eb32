/** The time in which a thrown globe loses most of its speed. */
const slowingMs = 300
/** Slower than this it stands. */
const leastDegPerMs = 0.004
/** Faster than half a turn in a second nobody can follow it. */
const greatestDegPerMs = 0.18
/** A finger that has rested so long before it left has not thrown. */
const restMs = 100
/** What is older says nothing about the speed at the end, unless frames take longer than that. */
const rememberedMs = 100

interface Turn {
  readonly yawDeg: number
  readonly pitchDeg: number
}

interface Sample extends Turn {
  readonly timeMs: number
}

/** How fast a drag turns the globe. */
export interface SpinMeter {
  readonly start: () => void
  readonly note: (turn: Turn, timeMs: number) => void
  /** Degrees per millisecond at the time of letting go; undefined where that was no throw. */
  readonly speed: (timeMs: number) => Turn | undefined
}

export function createSpinMeter(): SpinMeter {
  let samples: Sample[] = []
  return {
    start() {
      samples = []
    },
    note({ yawDeg, pitchDeg }, timeMs) {
      const last = samples.at(-1)
      samples = samples.filter(
        (sample) => sample === last || timeMs - sample.timeMs <= rememberedMs,
      )
      samples.push({ yawDeg, pitchDeg, timeMs })
    },
    speed(timeMs) {
      const first = samples[0]
      const last = samples.at(-1)
      if (first === undefined || last === undefined || timeMs - last.timeMs > restMs) {
        return undefined
      }
      const elapsedMs = last.timeMs - first.timeMs
      if (elapsedMs <= 0) return undefined
      const turned = last.yawDeg - first.yawDeg
      const yaw = (turned - 360 * Math.round(turned / 360)) / elapsedMs
      const pitch = (last.pitchDeg - first.pitchDeg) / elapsedMs
      const speed = Math.hypot(yaw, pitch)
      if (speed < leastDegPerMs) return undefined
      const share = Math.min(1, greatestDegPerMs / speed)
      return { yawDeg: yaw * share, pitchDeg: pitch * share }
    },
  }
}

/** How far a thrown globe has turned after a time, and whether it still moves. */
export function spunSince(speed: Turn, elapsedMs: number): Turn & { readonly isMoving: boolean } {
  const left = Math.exp(-elapsedMs / slowingMs)
  const reachMs = slowingMs * (1 - left)
  return {
    yawDeg: speed.yawDeg * reachMs,
    pitchDeg: speed.pitchDeg * reachMs,
    isMoving: Math.hypot(speed.yawDeg, speed.pitchDeg) * left > leastDegPerMs,
  }
}
