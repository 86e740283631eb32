import { useEffect, useState } from 'react'

/** The current time in milliseconds, updated at this interval, for relative times. */
export function useNow(intervalMs = 30_000): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return nowMs
}
