import { type RefObject, useEffect, useRef, useState } from 'react'

/** How far below the screen a place counts as near: what stands there comes before one has scrolled to it. */
const marginPx = 240

/** Whether an element has come near what is on screen; once it has, it stays so. */
export function useNear<E extends Element>(): [place: RefObject<E | null>, isNear: boolean] {
  const place = useRef<E>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || place.current === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setIsNear(true),
      { rootMargin: `${marginPx}px` },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  return [place, isNear]
}
