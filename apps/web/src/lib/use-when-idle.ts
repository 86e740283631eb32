import { useEffect } from 'react'
import * as v from 'valibot'

/** Only Chromium has this so far. Other browsers count as not saving data. */
const DataSaver = v.object({ connection: v.object({ saveData: v.literal(true) }) })

/** The longest delay in a busy browser, and the delay in Safari. */
const patienceMs = 3000

/** Runs once, when the page has loaded. Never if the visitor saves data. */
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
