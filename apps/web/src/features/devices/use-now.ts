import { useEffect, useState } from 'react'

/** The time in milliseconds, told again at this interval, for what a page says about how long ago. */
export function useNow(intervalMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), intervalMs)
    return () => clearInterval(timer)
  }, [intervalMs])
  return nowMs
}
