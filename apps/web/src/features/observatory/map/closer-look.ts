import { type RefObject, useEffect } from 'react'
import { isMotionWelcome } from '../../../lib/motion.ts'
import type { Selection } from '../selection.ts'
import { cameraOnSight } from './map-camera.ts'
import { type MapView, wantedMotion } from './map-view.ts'

/** Scrolls to the map when the globe hands a place over to it. */
export function useCloserLookWish(selection: Selection, headingId: string): void {
  useEffect(
    () =>
      selection.onCloserLook(() =>
        document
          .getElementById(headingId)
          ?.scrollIntoView({ behavior: isMotionWelcome() ? 'smooth' : 'instant' }),
      ),
    [selection, headingId],
  )
}

/** Shows the place from the globe, at once or as soon as the map has loaded, and focuses the map. */
export function useCloserLook(
  view: MapView | undefined,
  surface: RefObject<HTMLElement | null>,
  selection: Selection,
): void {
  useEffect(() => {
    if (view === undefined) return undefined
    const goOn = () => {
      const sight = selection.takeCloserLook()
      if (sight === undefined) return
      view.setCamera(cameraOnSight(sight, view.size), wantedMotion('flight'))
      surface.current?.focus({ preventScroll: true })
    }
    goOn()
    return selection.onCloserLook(goOn)
  }, [view, surface, selection])
}
