import type { Page, Route } from '@playwright/test'

const scriptUrl = 'https://maps.googleapis.com/maps/api/js?*'

/**
 * What the maps service's script makes, as far as the product uses it: a map that remembers its
 * options and camera, and an overlay. It draws nothing.
 */
const script = `
(() => {
  const listeners = new Map()
  class ServiceMap {
    constructor(element, options) {
      element.dataset.options = JSON.stringify(options)
      this.element = element
      this.camera = { center: options.center, zoom: options.zoom }
      this.pane = document.createElement('div')
      this.pane.style.position = 'absolute'
      this.pane.style.inset = '0'
      element.append(this.pane)
    }
    getCenter() {
      const { lat, lng } = this.camera.center
      return { lat: () => lat, lng: () => lng }
    }
    getZoom() { return this.camera.zoom }
    moveCamera(camera) {
      Object.assign(this.camera, camera)
      this.tell('bounds_changed')
      setTimeout(() => this.tell('idle'))
    }
    panTo(center) { this.moveCamera({ center }) }
    addListener(name, listener) {
      const list = listeners.get(name) ?? new Set()
      listeners.set(name, list.add(listener))
      return { remove: () => list.delete(listener) }
    }
    tell(name) { for (const listener of listeners.get(name) ?? []) listener() }
  }
  class OverlayView {
    setMap(map) {
      this.map = map
      if (map === null) return this.onRemove()
      setTimeout(() => {
        this.onAdd()
        this.draw()
      })
    }
    getPanes() { return { overlayMouseTarget: this.map.pane } }
    getProjection() {
      const { clientWidth, clientHeight } = this.map.element
      return { fromLatLngToDivPixel: () => ({ x: clientWidth / 2, y: clientHeight / 2 }) }
    }
  }
  google.maps.importLibrary = async () => ({ Map: ServiceMap, OverlayView })
  google.maps.__ib__()
})()
`

/** Stands in for the maps service: fails so many requests for its script, then answers. */
export async function stubMapsService(page: Page, failures = 0) {
  const requests: URL[] = []
  await page.route(scriptUrl, async (route: Route) => {
    requests.push(new URL(route.request().url()))
    if (requests.length <= failures) await route.abort()
    else await route.fulfill({ contentType: 'text/javascript', body: script })
  })
  return {
    requests,
    /** As the service does it when it does not know the key. */
    refuseKey: () => page.evaluate(() => window.gm_authFailure?.()),
  }
}

declare global {
  interface Window {
    gm_authFailure?: () => void
  }
}
