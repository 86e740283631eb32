import { useEffect, useRef } from 'react'
import { motionPause, reducedMotion } from '../../lib/motion.ts'

/** Browsers without requestIdleCallback (Safari) wait this long. */
const idleFallbackMs = 200

/** The sky behind every page. Its engine is fetched when the page stands and the browser is idle. */
export function Starfield() {
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    let isMounted = true
    let stop: (() => void) | undefined
    const start = async () => {
      const { runStarfield } = await import('./starfield-engine.ts')
      if (!isMounted || canvas.current === null) return
      stop = runStarfield({
        canvas: canvas.current,
        frames: window,
        reducedMotion: reducedMotion(),
        pause: motionPause,
      })
    }
    const cancel = whenIdle(() => {
      // Decoration: where its code does not arrive, the plain ground stays, and that is all.
      start().catch(() => undefined)
    })
    return () => {
      isMounted = false
      cancel()
      stop?.()
    }
  }, [])

  return (
    <div aria-hidden className="sky">
      <canvas ref={canvas} className="size-full" />
    </div>
  )
}

function whenIdle(action: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const request = window.requestIdleCallback(action, { timeout: 2000 })
    return () => window.cancelIdleCallback(request)
  }
  const timer = setTimeout(action, idleFallbackMs)
  return () => clearTimeout(timer)
}
