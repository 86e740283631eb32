import { t } from '@lingui/core/macro'
import 'maplibre-gl/dist/maplibre-gl.css'
import { type GeoJSONSource, MapLibreMap, setWorkerUrl } from 'maplibre-gl'
// MapLibre looks for its worker next to its own file, where a bundler puts none.
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { createEmitter } from '../../../lib/emitter.ts'
import { withinHalfTurn } from '../geometry/longitudes.ts'
import { type MapCamera, maxZoom, minZoom, wholeWorld } from './map-camera.ts'
import { loadCoarseLand, loadFineLand, mapStyle } from './map-style.ts'
import type { MapOptions, MapView } from './map-view.ts'
import { nodeLayer, nodeLayerId } from './node-layer.ts'

/** MapLibre's world is 512 pixels wide at zoom 0. Ours is 256, like the maps service's. */
const zoomOffset = 1
/** From this zoom on, the coarse coastline shows its corners. */
const fineLandZoom = 3.5
const flightMs = 900
const stepMs = 250
const noWebGlText = t`This browser can't draw the map: it has no WebGL. The list has every device.`
/** A higher resolution is not visible, and every pixel costs time. */
const maxPixelRatio = 2

/** The built-in map: the world's land and borders and every node. It loads nothing from other hosts. */
export async function createBuiltInMap({
  container,
  store,
  onFailure,
}: MapOptions): Promise<MapView> {
  if (!canDrawWebGl()) throw new Error(noWebGlText)
  setWorkerUrl(workerUrl)
  const land = await loadCoarseLand()
  const size = () => ({ widthPx: container.clientWidth, heightPx: container.clientHeight })
  const camera = wholeWorld(size(), store.columns.lonDeg)
  const map = new MapLibreMap({
    container,
    style: mapStyle(land),
    validateStyle: false,
    center: [camera.lonDeg, camera.latDeg],
    zoom: camera.zoom - zoomOffset,
    minZoom: minZoom - zoomOffset,
    maxZoom: maxZoom - zoomOffset,
    renderWorldCopies: true,
    cooperativeGestures: true,
    attributionControl: false,
    dragRotate: false,
    touchPitch: false,
    pitchWithRotate: false,
    // The panel handles keys, for this map and the maps service's.
    keyboard: false,
    fadeDuration: 0,
    pixelRatio: Math.min(window.devicePixelRatio, maxPixelRatio),
  })
  map.touchZoomRotate.disableRotation()
  // The surface around the canvas has the focus and the accessible name.
  for (const name of ['tabindex', 'role', 'aria-label']) map.getCanvas().removeAttribute(name)

  const moves = createEmitter<boolean>()
  const overlay = document.createElement('div')
  overlay.className = 'absolute inset-0 pointer-events-none'
  map.getCanvasContainer().append(overlay)

  let alone: readonly number[] | undefined
  const view = {
    overlay,
    drawsNodes: true,
    overlayOffset: { xPx: 0, yPx: 0 },
    get camera() {
      const { lat, lng } = map.getCenter().wrap()
      return { latDeg: lat, lonDeg: lng, zoom: map.getZoom() + zoomOffset }
    },
    get size() {
      return size()
    },
    setCamera(next, motion) {
      const target = { center: nearestCopy(map, next), zoom: next.zoom - zoomOffset }
      if (motion === 'at-once') map.jumpTo(target)
      else if (motion === 'step') map.easeTo({ ...target, duration: stepMs })
      else map.flyTo({ ...target, duration: flightMs })
    },
    showAlone(indexes) {
      alone = indexes
      map.triggerRepaint()
    },
    subscribe: moves.on,
    dispose() {
      map.remove()
    },
  } satisfies MapView

  map.on('move', () => moves.emit(false))
  map.on('moveend', () => moves.emit(true))
  map.on('resize', () => moves.emit(true))
  map.on('error', ({ error }) => onFailure(error.message))
  const addNodes = () => map.addLayer(nodeLayer(store, view, () => alone))
  map.on('webglcontextrestored', () => map.once('styledata', addNodes))
  // Runs before MapLibre handles the loss. MapLibre can't restore a custom layer and warns about it.
  const removeNodes = () => {
    if (map.getLayer(nodeLayerId) !== undefined) map.removeLayer(nodeLayerId)
  }
  container.addEventListener('webglcontextlost', removeNodes, true)

  let hasFineLand = false
  const refineLand = async () => {
    if (hasFineLand || view.camera.zoom < fineLandZoom) return
    hasFineLand = true
    const fine = await loadFineLand()
    for (const [id, data] of Object.entries(fine)) {
      await map.getSource<GeoJSONSource>(id)?.setData(data)
    }
  }
  map.on('moveend', () => {
    // The coarse land is good enough. If the fine land does not load, the next move tries again.
    refineLand().catch(() => {
      hasFineLand = false
    })
  })
  await map.once('load')
  addNodes()
  return view
}

/** The centre on the nearest copy of the world, so that the map takes the shortest way. */
function nearestCopy(map: MapLibreMap, { latDeg, lonDeg }: MapCamera): [number, number] {
  const { lng } = map.getCenter()
  return [lng + withinHalfTurn(lonDeg - lng), latDeg]
}

function canDrawWebGl(): boolean {
  const context = document.createElement('canvas').getContext('webgl2')
  // Browsers allow about sixteen contexts, and this one is no longer needed.
  context?.getExtension('WEBGL_lose_context')?.loseContext()
  return context !== null
}
