import type { MapView } from './map-view.ts'
import { type MarkerScene, scenePixel } from './marker-scene.ts'
import type { WorldPoint } from './mercator.ts'

/**
 * Keeps a layer's elements on their places while the map moves. A pan moves the layer as a whole, one
 * style for a frame; only a change of zoom places each element anew.
 */
export function followMap(
  layer: HTMLElement,
  view: MapView,
  scene: MarkerScene,
  points: readonly WorldPoint[],
): () => void {
  const elements = layer.querySelectorAll<HTMLElement>('[data-placed]')
  const anchor = { x: scene.grid.left, y: scene.grid.top }
  let placed = view.camera
  let offset = view.overlayOffset

  const placeAll = () => {
    placed = view.camera
    offset = view.overlayOffset
    const { xPx, yPx } = offset
    layer.style.transform = ''
    for (const [index, element] of elements.entries()) {
      const point = points[index]
      if (point === undefined) continue
      const pixel = scenePixel(scene, placed, point)
      element.style.transform = `translate(${Math.round(pixel.xPx + xPx)}px, ${Math.round(pixel.yPx + yPx)}px)`
    }
  }

  const follow = () => {
    const { camera, overlayOffset } = view
    if (camera.zoom !== placed.zoom) {
      placeAll()
      return
    }
    const from = scenePixel(scene, placed, anchor)
    const to = scenePixel(scene, camera, anchor)
    const xPx = to.xPx - from.xPx + overlayOffset.xPx - offset.xPx
    const yPx = to.yPx - from.yPx + overlayOffset.yPx - offset.yPx
    layer.style.transform = `translate(${Math.round(xPx)}px, ${Math.round(yPx)}px)`
  }

  placeAll()
  return view.subscribe(follow)
}
