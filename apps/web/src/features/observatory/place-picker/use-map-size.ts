import { type RefObject, useEffect, useState } from 'react'
import type { MapSize } from '../map/map-camera.ts'

/** How large an element is; undefined before it is on the page. */
export function useMapSize(element: RefObject<HTMLElement | null>): MapSize | undefined {
  const [size, setSize] = useState<MapSize>()
  useEffect(() => {
    const { current } = element
    if (current === null) return undefined
    const sizes = new ResizeObserver(() =>
      setSize({ widthPx: current.clientWidth, heightPx: current.clientHeight }),
    )
    sizes.observe(current)
    return () => sizes.disconnect()
  }, [element])
  return size
}
