import { useEffect } from 'react'
import * as v from 'valibot'

/** Chromium's alone, so far; a browser without it saves no data. */
const DataSaver = v.object({ connection: v.object({ saveData: v.literal(true) }) })

/** How long a busy browser may put it off; also how long one waits that can't tell when it is idle. */
const patienceMs = 3000

/**
 * Fetches ahead what is likely to be pressed: once, when the page is loaded and the browser has nothing
 * else to do. Never where the visitor saves data.
 */
export function useWhenIdle(fetchAhead: () => unknown): void {
  useEffect(() => {
    if (v.is(DataSaver, navigator)) return undefined
    let stop: (() => void) | undefined
    const wait = () => {
      stop = whenIdle(fetchAhead)
    }
    if (document.readyState === 'complete') wait()
    else window.addEventListener('load', wait, { once: true })
    return () => {
      window.removeEventListener('load', wait)
      stop?.()
    }
  }, [fetchAhead])
}

/** Safari has no requestIdleCallback. */
function whenIdle(run: () => unknown): () => void {
  if ('requestIdleCallback' in window) {
    const handle = requestIdleCallback(run, { timeout: patienceMs })
    return () => cancelIdleCallback(handle)
  }
  const timer = setTimeout(run, patienceMs)
  return () => clearTimeout(timer)
}
