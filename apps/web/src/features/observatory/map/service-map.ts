import { createEmitter } from '../../../lib/emitter.ts'
import { type MapCamera, maxZoom, minZoom, wholeWorld } from './map-camera.ts'
import { keySettingName, mapSettings } from './map-settings.ts'
import type { MapOptions, MapView } from './map-view.ts'
import { importLibrary, setOptions } from '@googlemaps/js-api-loader'
import { t } from '@lingui/core/macro'
import type { Size } from '../geometry/boxes.ts'

/** The same markers as on the built-in map, in an overlay: no deprecated Marker, no map id. */
export async function createServiceMap(
  { container, store, onFailure }: MapOptions,
  load = loadMapsService,
): Promise<MapView> {
  // The refusal may come while the service loads, or later.
  const forgetRefusal = onServiceRefusal(onFailure)
  try {
    const { Map: ServiceMap, OverlayView } = await load()
    const size = () => ({ widthPx: container.clientWidth, heightPx: container.clientHeight })
    const start = wholeWorld(size(), store.columns.lonDeg)
    const { mapId } = mapSettings
    const map = new ServiceMap(container, {
      center: { lat: start.latDeg, lng: start.lonDeg },
      zoom: Math.floor(start.zoom),
      minZoom,
      maxZoom,
      ...(mapId === undefined ? { styles: serviceStyle } : { mapId }),
      backgroundColor: '#070b16',
      gestureHandling: 'cooperative',
      // The panel handles keys, for this map and the built-in one.
      keyboardShortcuts: false,
      disableDefaultUI: true,
      clickableIcons: false,
      tilt: 0,
    })
    const overlay = await addOverlay(map, OverlayView)
    return serviceView(map, overlay, size, forgetRefusal)
  } catch (error) {
    forgetRefusal()
    throw error
  }
}

async function addOverlay(
  map: google.maps.Map,
  OverlayView: google.maps.MapsLibrary['OverlayView'],
): Promise<{ readonly view: google.maps.OverlayView; readonly element: HTMLElement }> {
  const element = document.createElement('div')
  element.className = 'pointer-events-none'
  const view = new OverlayView()
  const added = Promise.withResolvers<void>()
  view.onAdd = () => view.getPanes()?.overlayMouseTarget.append(element)
  view.draw = () => added.resolve()
  view.onRemove = () => element.remove()
  view.setMap(map)
  await added.promise
  return { view, element }
}

function serviceView(
  map: google.maps.Map,
  overlay: Awaited<ReturnType<typeof addOverlay>>,
  size: () => Size,
  onDispose: () => void,
): MapView {
  const moves = createEmitter<boolean>()
  const readCamera = (): MapCamera => {
    const centre = map.getCenter()
    return {
      latDeg: centre?.lat() ?? 0,
      lonDeg: centre?.lng() ?? 0,
      zoom: map.getZoom() ?? minZoom,
    }
  }
  overlay.view.draw = () => moves.emit(false)
  const events = [
    map.addListener('bounds_changed', () => moves.emit(false)),
    map.addListener('idle', () => moves.emit(true)),
  ]
  return {
    overlay: overlay.element,
    drawsNodes: false,
    showAlone() {},
    get camera() {
      return readCamera()
    },
    get size() {
      return size()
    },
    get overlayOffset() {
      const { widthPx, heightPx } = size()
      const centre = map.getCenter()
      const place = centre && overlay.view.getProjection().fromLatLngToDivPixel(centre)
      return { xPx: (place?.x ?? 0) - widthPx / 2, yPx: (place?.y ?? 0) - heightPx / 2 }
    },
    setCamera({ latDeg, lonDeg, zoom }, motion) {
      const center = { lat: latDeg, lng: lonDeg }
      const wholeZoom = Math.round(zoom)
      if (motion === 'at-once' || map.getZoom() !== wholeZoom) {
        map.moveCamera({ center, zoom: wholeZoom })
      } else {
        map.panTo(center)
      }
    },
    subscribe: moves.on,
    dispose() {
      onDispose()
      for (const event of events) event.remove()
      overlay.view.setMap(null)
    },
  }
}

/** The product's colours. A map with a map id is styled at the service instead. */
const serviceStyle: google.maps.MapTypeStyle[] = [
  { elementType: 'geometry', stylers: [{ color: '#131b2e' }] },
  { elementType: 'labels.text.fill', stylers: [{ color: '#94a3b8' }] },
  { elementType: 'labels.text.stroke', stylers: [{ color: '#05070f' }] },
  { elementType: 'labels.icon', stylers: [{ visibility: 'off' }] },
  { featureType: 'administrative', elementType: 'geometry', stylers: [{ color: '#24304a' }] },
  { featureType: 'poi', stylers: [{ visibility: 'off' }] },
  { featureType: 'road', stylers: [{ visibility: 'off' }] },
  { featureType: 'transit', stylers: [{ visibility: 'off' }] },
  { featureType: 'water', elementType: 'geometry', stylers: [{ color: '#070b16' }] },
]

/** Loads the maps service with retries, because its own loader gives up after the first failure. */
async function loadMapsService(): Promise<google.maps.MapsLibrary> {
  const { key, mapId } = mapSettings
  setOptions({
    ...(key !== undefined && { key }),
    ...(mapId !== undefined && { mapIds: [mapId] }),
    v: 'weekly',
  })
  return withRetries(() => importLibrary('maps'))
}

const retries = 3

/** The pause before the nth retry, from 1: 2, 8 and 24 ms. */
export function retryPauseMs(n: number): number {
  return n * 2 ** n
}

/** @throws the error of the last attempt */
export async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let n = 1; n <= retries; n++) {
    try {
      return await attempt()
    } catch {
      // The last attempt, below, throws its error.
      await new Promise((resolve) => {
        setTimeout(resolve, retryPauseMs(n))
      })
    }
  }
  return attempt()
}

declare global {
  interface Window {
    /** The maps service calls this global when it refuses the key. */
    gm_authFailure?: () => void
  }
}

/** Calls the listener when the maps service refuses the key, which happens only after it has loaded. */
function onServiceRefusal(listener: (message: string) => void): () => void {
  const report = () => listener(t`The maps service has refused the key in ${keySettingName}.`)
  window.gm_authFailure = report
  return () => {
    if (window.gm_authFailure === report) delete window.gm_authFailure
  }
}
