import { makeStars, skyLayers, type Star } from './make-stars.ts'
import { drawStarSprites, type StarSprites } from './star-sprites.ts'

/** A higher resolution costs time and shows no difference on soft dots. */
const maxPixelRatio = 2
/** The longest step of one frame, so that the sky does not jump after a stall. */
const maxStepMs = 100
const glowUpMs = 1200

interface StarfieldOptions {
  readonly canvas: HTMLCanvasElement
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

interface SkyMoment {
  readonly stars: readonly Star[]
  readonly sprites: StarSprites
  readonly camera: Readonly<SkyCamera>
  readonly widthPx: number
  readonly heightPx: number
  /** How long the sky has moved. */
  readonly ageMs: number
  /** How far the stars have faded in, 0 to 1. */
  readonly glow: number
  /** Draws every star at its brightest, without twinkling. */
  readonly isBrightest: boolean
}

/** Draws the whole sky. The context is scaled to CSS pixels. */
function drawSky(context: CanvasRenderingContext2D, moment: SkyMoment): void {
  const { stars, sprites, camera, widthPx, heightPx, ageMs, glow, isBrightest } = moment
  const { image, rows, pixelRatio } = sprites
  const ageS = ageMs / 1000
  context.clearRect(0, 0, widthPx, heightPx)
  for (const star of stars) {
    const layer = skyLayers[star.layer]
    const row = rows[star.layer]
    if (layer === undefined || row === undefined) continue
    const { sidePx, topPx } = row
    const shiftX = ageS * layer.driftPxPerS - camera.pointerX * layer.pointerPx
    const shiftY = -camera.scrollPx * layer.scrollShare - camera.pointerY * layer.pointerPx
    const left = around(star.x, shiftX, widthPx, sidePx)
    const top = around(star.y, shiftY, heightPx, sidePx)
    const dimmed = isBrightest
      ? 0
      : star.twinkle * (0.5 - 0.5 * Math.cos(star.phaseRad + ageS * star.twinkleRadPerS))
    context.globalAlpha = star.brightness * (1 - dimmed) * glow
    const sideInImage = sidePx * pixelRatio
    context.drawImage(
      image,
      star.tint * sideInImage,
      topPx * pixelRatio,
      sideInImage,
      sideInImage,
      left,
      top,
      sidePx,
      sidePx,
    )
  }
}

/** Wraps a position around the sky. A star jumps to the other side only when it is fully out of sight. */
function around(place: number, shiftPx: number, lengthPx: number, sidePx: number): number {
  const roundPx = lengthPx + sidePx
  const alongPx = (place * roundPx + shiftPx) % roundPx
  return (alongPx < 0 ? alongPx + roundPx : alongPx) - sidePx
}

/** Time constant of the easing: after this time the camera has covered about two thirds of the way. */
const easeMs = 320

/** The sky's point of view. It follows scrolling and the pointer with a short delay. */
interface SkyCamera {
  scrollPx: number
  /** The pointer's place: -1 is left or top, 0 the middle, 1 right or bottom. */
  pointerX: number
  pointerY: number
}

export function moveCamera(camera: SkyCamera, wanted: Readonly<SkyCamera>, elapsedMs: number) {
  const part = 1 - Math.exp(-elapsedMs / easeMs)
  camera.scrollPx += (wanted.scrollPx - camera.scrollPx) * part
  camera.pointerX += (wanted.pointerX - camera.pointerX) * part
  camera.pointerY += (wanted.pointerY - camera.pointerY) * part
}

const fewest = 90
const most = 220
/** One particle per square of 100 px a side. More looks restless, fewer looks empty. */
const areaPxEach = 10_000

/** Number of particles for a screen. Width and height are in CSS pixels. */
export function particleCount(widthPx: number, heightPx: number): number {
  const wanted = Math.round((widthPx * heightPx) / areaPxEach)
  return Math.min(most, Math.max(fewest, wanted))
}
