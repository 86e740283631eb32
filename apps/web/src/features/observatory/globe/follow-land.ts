import { type LandRings, loadLandRings } from './land-rings.ts'

/** The land, from the moment at which it arrives. */
export interface Land {
  readonly rings: LandRings | undefined
  /** 0 to 1: how far it has come up. */
  readonly share: number
  /** Whether it is still coming up at this time. */
  advance(nowMs: number): boolean
  dispose(): void
}

const riseMs = 300

/** Loads the land. Where that fails the globe stands without it, until the browser is online again. */
export function followLand(mayMove: () => boolean, onArrived: (rings: LandRings) => void): Land {
  let rings: LandRings | undefined
  let share = 0
  let startMs: number | undefined
  let isOver = false

  const load = async () => {
    const loaded = await loadLandRings()
    if (isOver || rings !== undefined) return
    rings = loaded
    if (!mayMove()) share = 1
    onArrived(loaded)
  }
  const tryToLoad = () => {
    load().catch(() => {
      // The browser has told of the failed request already; nodes and grid are of use without land.
      if (!isOver) window.addEventListener('online', tryToLoad, { once: true })
    })
  }
  tryToLoad()

  return {
    get rings() {
      return rings
    },
    get share() {
      return share
    },
    advance(nowMs) {
      if (rings === undefined || share === 1) return false
      startMs ??= nowMs
      share = Math.min(1, (nowMs - startMs) / riseMs)
      return share < 1
    },
    dispose() {
      isOver = true
      window.removeEventListener('online', tryToLoad)
    },
  }
}
