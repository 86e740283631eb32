import { useSyncExternalStore } from 'react'

const today = () => new Date().setHours(0, 0, 0, 0)

/** The midnight that today began with, where the page is read, in milliseconds; at midnight it is the next. */
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
