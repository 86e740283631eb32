import { useSyncExternalStore } from 'react'

const today = () => new Date().setHours(0, 0, 0, 0)

/** The start of today in the reader's time zone, in milliseconds. */
export function useToday(): number {
  return useSyncExternalStore(atMidnight, today, today)
}

function atMidnight(onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    const midnight = new Date().setHours(24, 0, 0, 0)
    timer = setTimeout(() => {
      onChange()
      wait()
    }, midnight - Date.now())
  }
  wait()
  return () => clearTimeout(timer)
}
