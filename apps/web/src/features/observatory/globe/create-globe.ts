import { motionPause } from '../../../lib/motion-pause.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { createCameraMotion } from './camera-motion.ts'
import { createCameraRest } from './camera-rest.ts'
import { startCanvas2d } from './canvas2d/start-canvas2d.ts'
import { canvasPixelRatio } from './canvas-size.ts'
import { createFrameLoop } from './frame-loop.ts'
import { firstCamera } from './globe-camera.ts'
import { noMarks } from './globe-marks.ts'
import type { GlobeRenderer, GlobeScene } from './globe-scene.ts'
import type { Globe, GlobeOptions } from './globe.ts'
import { followLand } from './follow-land.ts'
import { createMarkStrokes } from './mark-strokes.ts'
import { nodeLook } from './node-look.ts'
import { pickNodes } from './pick-nodes.ts'
import { placePlanet } from './place-planet.ts'
import { createProjection, project, unproject } from './projection.ts'
import { strokeScenery } from './sky-scenery.ts'
import { createStrokes } from './strokes.ts'
import { startWebgl } from './webgl/start-webgl.ts'

const pickReachPx = 10

/** Undefined where the browser gives no canvas context of any kind. */
export function createGlobe(
  canvas: HTMLCanvasElement,
  store: NodeStore,
  { withoutWebgl = false }: GlobeOptions = {},
): Globe | undefined {
  const listeners = new Set<(isAtRest: boolean) => void>()
  const givenUpListeners = new Set<() => void>()
  const motion = createCameraMotion(firstCamera)
  const marks = createMarkStrokes(noMarks)
  const scene: GlobeScene = {
    widthPx: 0,
    heightPx: 0,
    pixelRatio: 1,
    projection: createProjection(),
    skyShare: 0,
    landShare: 0,
    region: undefined,
    nodeLook: nodeLook(store.columns.count, 1, 0),
    strokes: createStrokes(),
  }
  let renderer: GlobeRenderer | undefined
  let hasMoved = false

  const updateScene = () => {
    const { shown } = motion
    scene.skyShare = shown.skyShare
    scene.nodeLook = nodeLook(store.columns.count, shown.zoom, shown.skyShare)
    placePlanet(scene.projection, shown, scene.widthPx, scene.heightPx)
  }
  const draw = (nowMs: number): boolean => {
    const wasMoving = motion.isMoving
    motion.advance(nowMs)
    const isLandRising = land.advance(nowMs)
    scene.landShare = land.share
    updateScene()
    if (renderer !== undefined && scene.widthPx > 0 && scene.heightPx > 0) {
      scene.strokes.clear()
      strokeScenery(scene, motion.shown.yawDeg, motion.shown.pitchDeg)
      marks.stroke(scene, store.columns)
      renderer.draw(scene)
    }
    if (hasMoved || wasMoving) for (const listener of listeners) listener(false)
    hasMoved = false
    if (wasMoving && !motion.isMoving) rest.arrived()
    return motion.isMoving || isLandRising
  }
  const rest = createCameraRest(
    canvas,
    () => motion.target,
    () => {
      for (const listener of listeners) listener(true)
    },
  )
  const settle = () => {
    if (!motion.isMoving) return
    motion.finish()
    updateScene()
    rest.arrived()
  }
  const loop = createFrameLoop(canvas, draw, settle)
  const land = followLand(mayMove, (rings) => {
    renderer?.setLand(rings)
    loop.request()
  })

  const takeRenderer = (next: GlobeRenderer) => {
    renderer = next
    next.setNodes(store.columns)
    if (land.rings !== undefined) next.setLand(land.rings)
    loop.request()
  }
  const start = () => {
    const stopWebgl = withoutWebgl
      ? undefined
      : startWebgl(canvas, {
          onStarted: takeRenderer,
          onLost: () => {
            renderer = undefined
          },
          onGivenUp: () => {
            for (const listener of givenUpListeners) listener()
          },
        })
    if (stopWebgl !== undefined) return { drawnBy: 'webgl2', stop: stopWebgl } as const
    const stopCanvas2d = startCanvas2d(canvas, takeRenderer)
    if (stopCanvas2d === undefined) return undefined
    return { drawnBy: 'canvas2d', stop: stopCanvas2d } as const
  }

  const fit = () => {
    scene.widthPx = canvas.clientWidth
    scene.heightPx = canvas.clientHeight
    const ratio = canvasPixelRatio(scene.widthPx, scene.heightPx, window.devicePixelRatio)
    canvas.width = Math.round(scene.widthPx * ratio)
    canvas.height = Math.round(scene.heightPx * ratio)
    scene.pixelRatio = ratio
    hasMoved = true
    loop.drawNow()
  }

  const drawing = start()
  if (drawing === undefined) {
    loop.dispose()
    land.dispose()
    return undefined
  }
  canvas.dataset['drawnBy'] = drawing.drawnBy
  const unsubscribe = store.subscribe((change) => {
    if (change.kind === 'replaced') renderer?.setNodes(store.columns)
    else renderer?.setStatuses(store.columns, change.indexes)
    loop.request()
  })
  // Its callback runs between layout and paint: a new size never shows empty.
  const sizes = new ResizeObserver(fit)
  sizes.observe(canvas)
  // A window that goes to another monitor may change its pixel ratio and not its size.
  window.addEventListener('resize', fit)
  fit()
  rest.arrived()

  return {
    drawnBy: drawing.drawnBy,
    get camera() {
      return motion.target
    },
    get radiusPx() {
      return scene.projection.radiusPx
    },
    setCamera(camera, how) {
      const isAnimated = how === 'animated' && mayMove() && loop.isSeen
      if (!motion.set(camera, isAnimated ? 'animated' : 'at-once')) return
      if (!isAnimated) {
        hasMoved = true
        // Whoever projects before the next frame gets what that frame will show.
        updateScene()
        if (how === 'animated') rest.arrived()
        else rest.moved()
      }
      loop.request()
    },
    halt() {
      if (!motion.isMoving) return
      motion.halt()
      hasMoved = true
      updateScene()
      rest.moved()
      loop.request()
    },
    setMarks(next) {
      marks.set(next)
      scene.region = next.region
      loop.request()
    },
    project: (point) => project(scene.projection, point),
    unproject: (point) => unproject(scene.projection, point),
    pick: (point, reachPx = pickReachPx) =>
      pickNodes(scene.projection, store.columns, point, reachPx),
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    onGivenUp(listener) {
      givenUpListeners.add(listener)
      return () => {
        givenUpListeners.delete(listener)
      }
    },
    dispose() {
      loop.dispose()
      land.dispose()
      rest.dispose()
      sizes.disconnect()
      window.removeEventListener('resize', fit)
      unsubscribe()
      listeners.clear()
      givenUpListeners.clear()
      drawing.stop()
      renderer = undefined
    },
  }
}

function mayMove(): boolean {
  return !motionPause.isPaused() && !window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
