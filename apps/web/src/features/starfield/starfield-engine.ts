import { drawSky } from './draw-sky.ts'
import { makeStars, type Star } from './make-stars.ts'
import { particleCount } from './particle-count.ts'
import { moveCamera, type SkyCamera } from './sky-camera.ts'
import { drawStarSprites, type StarSprites } from './star-sprites.ts'

/** A higher resolution costs time and shows no difference on soft dots. */
const maxPixelRatio = 2
/** The longest step of one frame, so that the sky does not jump after a stall. */
const maxStepMs = 100
const glowUpMs = 1200

interface StarfieldOptions {
  readonly canvas: HTMLCanvasElement
  /** The source of animation frames and their time. */
  readonly frames: Pick<Window, 'requestAnimationFrame' | 'cancelAnimationFrame'>
  readonly reducedMotion: Pick<
    MediaQueryList,
    'matches' | 'addEventListener' | 'removeEventListener'
  >
  readonly pause: {
    readonly isPaused: () => boolean
    readonly subscribe: (onChange: () => void) => () => void
  }
}

/**
 * Draws the sky on the canvas until the returned function is called. It requests frames only while the page
 * is visible, the visitor allows motion and nobody has paused it. Otherwise the sky does not move. Under
 * reduced motion every star is at its brightest, so contrast is measured on that frame. The canvas shows
 * its state in data-particles and data-sky (moving or still).
 */
export function runStarfield({ canvas, frames, reducedMotion, pause }: StarfieldOptions) {
  const page = canvas.ownerDocument
  const view = page.defaultView
  const context = canvas.getContext('2d')
  if (view === null || context === null) return () => {}

  const wanted: SkyCamera = { scrollPx: view.scrollY, pointerX: 0, pointerY: 0 }
  const camera: SkyCamera = { ...wanted }
  let stars: readonly Star[] = []
  let sprites: StarSprites | undefined
  let widthPx = 0
  let heightPx = 0
  let ageMs = 0
  let lastFrameMs: number | undefined
  let frame: number | undefined

  const draw = () => {
    if (sprites === undefined) return
    drawSky(context, {
      stars,
      sprites,
      camera,
      widthPx,
      heightPx,
      ageMs,
      glow: Math.min(1, ageMs / glowUpMs),
      isBrightest: reducedMotion.matches,
    })
  }

  const onFrame = (nowMs: number) => {
    frame = frames.requestAnimationFrame(onFrame)
    // Checked on every frame, because Chromium sometimes loses this change event.
    if (reducedMotion.matches) {
      followMotion()
      return
    }
    const elapsedMs = Math.min(maxStepMs, nowMs - (lastFrameMs ?? nowMs))
    lastFrameMs = nowMs
    ageMs += elapsedMs
    moveCamera(camera, wanted, elapsedMs)
    draw()
  }

  const followMotion = () => {
    const moves = !page.hidden && !reducedMotion.matches && !pause.isPaused()
    canvas.dataset['sky'] = moves ? 'moving' : 'still'
    if (moves && frame === undefined) {
      lastFrameMs = undefined
      frame = frames.requestAnimationFrame(onFrame)
    } else if (!moves && frame !== undefined) {
      frames.cancelAnimationFrame(frame)
      frame = undefined
    }
    if (moves) return
    ageMs = Math.max(ageMs, glowUpMs)
    draw()
  }

  /** Setting a canvas's size clears it, so this draws again before the browser paints. */
  const fit = () => {
    widthPx = canvas.clientWidth
    heightPx = canvas.clientHeight
    const pixelRatio = Math.min(maxPixelRatio, view.devicePixelRatio)
    canvas.width = Math.round(widthPx * pixelRatio)
    canvas.height = Math.round(heightPx * pixelRatio)
    context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0)
    if (sprites?.pixelRatio !== pixelRatio) sprites = drawStarSprites(pixelRatio)
    const particles = particleCount(widthPx, heightPx)
    if (particles !== stars.length) stars = makeStars(particles)
    canvas.dataset['particles'] = String(particles)
    draw()
  }

  const onScroll = () => {
    wanted.scrollPx = view.scrollY
  }
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse') return
    wanted.pointerX = (2 * event.clientX) / view.innerWidth - 1
    wanted.pointerY = (2 * event.clientY) / view.innerHeight - 1
  }

  const ended = new AbortController()
  const { signal } = ended
  view.addEventListener('scroll', onScroll, { passive: true, signal })
  view.addEventListener('pointermove', onPointerMove, { passive: true, signal })
  // A window that moves to another monitor may change its pixel ratio but not its size.
  view.addEventListener('resize', fit, { signal })
  page.addEventListener('visibilitychange', followMotion, { signal })
  reducedMotion.addEventListener('change', followMotion)
  const unsubscribe = pause.subscribe(followMotion)
  // The callback runs after layout and before paint, so the resized canvas never shows empty.
  const sizes = new ResizeObserver(fit)
  sizes.observe(canvas)
  followMotion()
  fit()

  return () => {
    ended.abort()
    reducedMotion.removeEventListener('change', followMotion)
    unsubscribe()
    sizes.disconnect()
    if (frame !== undefined) frames.cancelAnimationFrame(frame)
  }
}
