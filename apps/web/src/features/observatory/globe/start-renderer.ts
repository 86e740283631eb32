import type { GlobeRenderer } from './globe-scene.ts'
import { contextAttributes, createWebglRenderer } from './webgl-renderer.ts'

/** After a driver reset the context comes back within a second or two, or never. */
const waitForContextMs = 4000

interface RendererEvents {
  readonly onStarted: (renderer: GlobeRenderer) => void
  readonly onLost: () => void
  readonly onGivenUp: () => void
}

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

/** Draws while the context lives, and again when it comes back. Returns a function that ends it. */
function startWebgl(canvas: HTMLCanvasElement, { onStarted, onLost, onGivenUp }: RendererEvents) {
  const gl = canvas.getContext('webgl2', contextAttributes)
  if (gl === null) return undefined
  let renderer: GlobeRenderer | undefined
  let giveUp: ReturnType<typeof setTimeout> | undefined

  const start = () => {
    clearTimeout(giveUp)
    try {
      renderer = createWebglRenderer(gl)
    } catch (error) {
      // A driver that can't do this now won't next time either. Canvas 2D can.
      reportError(error)
      giveUp = setTimeout(onGivenUp)
      return
    }
    onStarted(renderer)
  }
  const whenLost = (event: Event) => {
    // Without this the browser does not restore the context.
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
    // Browsers allow few contexts and drop the oldest, so this one is freed now.
    setTimeout(() => {
      if (!canvas.isConnected) gl.getExtension('WEBGL_lose_context')?.loseContext()
    })
  }
}

/** Its code loads here, because few browsers need it. Returns a function that ends it. */
function startCanvas2d(canvas: HTMLCanvasElement, onStarted: (renderer: GlobeRenderer) => void) {
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) return undefined
  let isOver = false
  const start = async () => {
    const { createCanvas2dRenderer } = await import('./canvas2d-renderer.ts')
    if (!isOver) onStarted(createCanvas2dRenderer(context))
  }
  // If the code does not load, the canvas stays dark. The device list has the same nodes.
  start().catch(reportError)
  return () => {
    isOver = true
  }
}
