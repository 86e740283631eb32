import { type RefObject, useEffect, useState } from 'react'
import type { MapSize } from '../map/map-camera.ts'

/** An element's size; undefined before it is mounted. */
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
