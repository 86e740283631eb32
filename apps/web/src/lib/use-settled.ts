import { useEffect, useState } from 'react'

/** The text once it has not changed for this long, so that a request need not follow every key. */
export function useSettled(text: string, settleMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), settleMs)
    return () => clearTimeout(timer)
  }, [text, settleMs])
  return settled
}
