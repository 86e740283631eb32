import type { GlobeRenderer } from '../globe-scene.ts'

/**
 * Draws by Canvas 2D, with code that few browsers need and that is fetched here.
 * @returns what ends it; undefined where the browser gives no context
 */
export function startCanvas2d(
  canvas: HTMLCanvasElement,
  onStarted: (renderer: GlobeRenderer) => void,
): (() => void) | undefined {
  const context = canvas.getContext('2d', { alpha: false })
  if (context === null) return undefined
  let isOver = false
  const start = async () => {
    const { createCanvas2dRenderer } = await import('./create-canvas2d-renderer.ts')
    if (!isOver) onStarted(createCanvas2dRenderer(context))
  }
  // The picture stays dark then; the list beside it has the same nodes.
  start().catch(reportError)
  return () => {
    isOver = true
  }
}
