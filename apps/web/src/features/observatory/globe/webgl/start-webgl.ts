import type { GlobeRenderer } from '../globe-scene.ts'
import { contextAttributes, createWebglRenderer } from './create-webgl-renderer.ts'

/** A driver that was reset gives the context back within a second or two, or never. */
const waitForContextMs = 4000

interface WebglEvents {
  /** There is a renderer, the first or a new one: it knows neither nodes nor land yet. */
  readonly onStarted: (renderer: GlobeRenderer) => void
  readonly onLost: () => void
  /** This canvas will not be drawn on again. */
  readonly onGivenUp: () => void
}

/**
 * Draws by WebGL for as long as the context lives, and again when it comes back.
 * @returns what ends it; undefined where the browser gives no context
 */
export function startWebgl(
  canvas: HTMLCanvasElement,
  { onStarted, onLost, onGivenUp }: WebglEvents,
): (() => void) | undefined {
  const gl = canvas.getContext('webgl2', contextAttributes)
  if (gl === null) return undefined
  let renderer: GlobeRenderer | undefined
  let giveUp: ReturnType<typeof setTimeout> | undefined

  const start = () => {
    clearTimeout(giveUp)
    try {
      renderer = createWebglRenderer(gl)
    } catch (error) {
      // A driver that can't do this will not do it next time; Canvas 2D can.
      reportError(error)
      giveUp = setTimeout(onGivenUp)
      return
    }
    onStarted(renderer)
  }
  const whenLost = (event: Event) => {
    // Without this the browser does not give it back.
    event.preventDefault()
    renderer = undefined
    giveUp = setTimeout(onGivenUp, waitForContextMs)
    onLost()
  }
  canvas.addEventListener('webglcontextlost', whenLost)
  canvas.addEventListener('webglcontextrestored', start)
  if (gl.isContextLost()) giveUp = setTimeout(onGivenUp, waitForContextMs)
  else start()

  return () => {
    clearTimeout(giveUp)
    canvas.removeEventListener('webglcontextlost', whenLost)
    canvas.removeEventListener('webglcontextrestored', start)
    renderer?.dispose()
    // A browser keeps few contexts and takes back the oldest: free this one now, unless the same
    // canvas stays for another globe.
    setTimeout(() => {
      if (!canvas.isConnected) gl.getExtension('WEBGL_lose_context')?.loseContext()
    })
  }
}
