import { useEffect, useState } from 'react'
import type { NodeStore } from '../nodes/node-store.ts'
import type { MapView } from './map-view.ts'
import { markerScene, type MarkerScene } from './marker-scene.ts'

/**
 * The markers for what the map shows: made anew when it comes to rest, when its nodes change, and on
 * the way when a zoom level is passed; at most once for a frame.
 */
export function useMarkerScene(
  view: MapView | undefined,
  store: NodeStore,
): MarkerScene | undefined {
  const [scene, setScene] = useState<MarkerScene>()

  useEffect(() => {
    if (view === undefined) return undefined
    let level = Math.floor(view.camera.zoom)
    let frame: number | undefined
    const refresh = () => {
      frame = undefined
      level = Math.floor(view.camera.zoom)
      setScene(markerScene(store.columns, view.camera, view.size))
    }
    const refreshSoon = () => {
      frame ??= requestAnimationFrame(refresh)
    }
    refreshSoon()
    const unsubscribeStore = store.subscribe(refreshSoon)
    const unsubscribeView = view.subscribe((isAtRest) => {
      if (isAtRest || Math.floor(view.camera.zoom) !== level) refreshSoon()
    })
    return () => {
      unsubscribeStore()
      unsubscribeView()
      if (frame !== undefined) cancelAnimationFrame(frame)
    }
  }, [view, store])

  return view === undefined ? undefined : scene
}
