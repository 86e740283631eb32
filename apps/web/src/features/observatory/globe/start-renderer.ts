import type { GlobeRenderer } from './globe-scene.ts'
import { contextAttributes, createWebglRenderer } from './webgl/webgl-renderer.ts'

/** A driver that was reset gives the context back within a second or two, or never. */
const waitForContextMs = 4000

interface RendererEvents {
  /** There is a renderer, the first or a new one: it knows neither nodes nor land yet. */
  readonly onStarted: (renderer: GlobeRenderer) => void
  readonly onLost: () => void
  /** This canvas will not be drawn on again. */
  readonly onGivenUp: () => void
}

/** Undefined where the browser gives no context of any kind. */
export function startRenderer(
  canvas: HTMLCanvasElement,
  events: RendererEvents,
  withoutWebgl: boolean,
): { readonly drawnBy: 'webgl2' | 'canvas2d'; readonly stop: () => void } | undefined {
  const stopWebgl = withoutWebgl ? undefined : startWebgl(canvas, events)
  if (stopWebgl !== undefined) return { drawnBy: 'webgl2', stop: stopWebgl }
  const stopCanvas2d = startCanvas2d(canvas, events.onStarted)
  return stopCanvas2d && { drawnBy: 'canvas2d', stop: stopCanvas2d }
}

/**
 * Draws by WebGL for as long as the context lives, and again when it comes back.
 * @returns what ends it; undefined where the browser gives no context
 */
function startWebgl(
  canvas: HTMLCanvasElement,
  { onStarted, onLost, onGivenUp }: RendererEvents,
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

/**
 * Draws by Canvas 2D, with code that few browsers need and that is fetched here.
 * @returns what ends it; undefined where the browser gives no context
 */
function startCanvas2d(
  canvas: HTMLCanvasElement,
  onStarted: (renderer: GlobeRenderer) => void,
): (() => void) | undefined {
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) return undefined
  let isOver = false
  const start = async () => {
    const { createCanvas2dRenderer } = await import('./canvas2d/canvas2d-renderer.ts')
    if (!isOver) onStarted(createCanvas2dRenderer(context))
  }
  // The picture stays dark then; the list beside it has the same nodes.
  start().catch(reportError)
  return () => {
    isOver = true
  }
}
