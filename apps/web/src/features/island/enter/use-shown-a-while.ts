import { useEffect, useState } from 'react'

/** A press that was begun for another window can end on this one. */
const whileMs = 600

/** False at first, and again whenever the window comes to the front otherwise than by a press on it. */
export function useShownAWhile(): boolean {
  const [isShownAWhile, setShownAWhile] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let pressedMs = Number.NEGATIVE_INFINITY
    const begin = () => {
      setShownAWhile(false)
      clearTimeout(timer)
      timer = setTimeout(() => setShownAWhile(true), whileMs)
    }
    const press = () => (pressedMs = performance.now())
    const focus = () => {
      if (performance.now() - pressedMs > whileMs) begin()
    }
    begin()
    window.addEventListener('pointerdown', press, true)
    window.addEventListener('focus', focus)
    document.addEventListener('visibilitychange', begin)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pointerdown', press, true)
      window.removeEventListener('focus', focus)
      document.removeEventListener('visibilitychange', begin)
    }
  }, [])
  return isShownAWhile
}
