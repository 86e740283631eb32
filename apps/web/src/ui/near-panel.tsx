import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { OnDemandPanel } from './on-demand-panel.tsx'

/**
 * How close below the viewport a panel starts to load, so that it is there before the visitor scrolls to
 * it.
 */
const marginPx = 240

/** A heavy part of the page. Its code loads when its place is near the viewport. */
export function NearPanel<P extends object>(props: ComponentProps<typeof OnDemandPanel<P>>) {
  const place = useRef<HTMLDivElement>(null)
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
  return <div ref={place}>{isNear ? <OnDemandPanel {...props} /> : props.skeleton}</div>
}
