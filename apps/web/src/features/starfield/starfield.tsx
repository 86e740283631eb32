import { useEffect, useRef } from 'react'
import { motionPause, reducedMotion } from '../../lib/motion.ts'

/** Delay for browsers without requestIdleCallback (Safari). */
const idleFallbackMs = 200

/** The sky behind every page. Its engine loads once the page is mounted and the browser is idle. */
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
      // The sky is decoration: if its code does not load, the plain background remains.
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
