/**
 * A stand-in for the maps service's script, as far as the product uses it: a map that remembers its options
 * and camera, and an overlay. It draws nothing.
 */
export const mapsServiceScript = `
(() => {
  class ServiceMap {
    constructor(element, options) {
      element.dataset.options = JSON.stringify(options)
      this.element = element
      this.listeners = new Map()
      this.camera = { center: options.center, zoom: options.zoom }
      this.pane = document.createElement('div')
      this.pane.style.position = 'absolute'
      this.pane.style.inset = '0'
      element.append(this.pane)
      new ResizeObserver(() => this.moveCamera({})).observe(element)
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
      const list = this.listeners.get(name) ?? new Set()
      this.listeners.set(name, list.add(listener))
      return { remove: () => list.delete(listener) }
    }
    tell(name) { for (const listener of this.listeners.get(name) ?? []) listener() }
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
  window.google ??= { maps: {} }
  google.maps.importLibrary = async () => ({ Map: ServiceMap, OverlayView })
  google.maps.__ib__?.()
})()
`
