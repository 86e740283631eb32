import type { MapView } from './map-view.ts'

/** Writes on the element where the map has come to rest, for tests and for those who inspect it. */
export function showCamera(element: HTMLElement, view: MapView): () => void {
  const show = (isAtRest: boolean) => {
    if (!isAtRest) return
    const { latDeg, lonDeg, zoom } = view.camera
    element.dataset['lat'] = latDeg.toFixed(3)
    element.dataset['lon'] = lonDeg.toFixed(3)
    element.dataset['zoom'] = zoom.toFixed(2)
  }
  show(true)
  return view.subscribe(show)
}
