import { createEmitter } from '../../../lib/emitter.ts'
import { isMotionWelcome } from '../../../lib/motion.ts'
import { nodeLook } from '../drawing/node-look.ts'
import type { Place } from '../geometry/unit-vector.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { followGroups } from './follow-groups.ts'
import { createFrameLoop } from './frame-loop.ts'
import {
  createCameraMotion,
  createCameraRest,
  firstCamera,
  type GlobeCamera,
} from './globe-camera.ts'
import { canvasPixelRatio, type GlobeRenderer, type GlobeScene } from './globe-scene.ts'
import type { GroupHit } from './groups/groups.ts'
import { followLand } from './land.ts'
import { createMarkStrokes, type GlobeMarks, noMarks } from './marks.ts'
import { pickNodes } from './pick-nodes.ts'
import {
  createProjection,
  placePlanet,
  project,
  type ScreenPoint,
  unproject,
} from './projection.ts'
import type * as Decoration from './decoration/decoration.ts'
import { startRenderer } from './start-renderer.ts'
import { createStrokes } from './strokes.ts'

interface GlobeOptions {
  /** Uses Canvas 2D. Set it for the new canvas after `onGivenUp`. */
  readonly withoutWebgl?: boolean
}

/** The globe on its canvas. It draws only when something has changed. */
export interface Globe {
  readonly drawnBy: 'webgl2' | 'canvas2d'
  /** Where the camera is, or where it is moving to. */
  readonly camera: GlobeCamera
  /** Radius of the planet as drawn now, in CSS pixels. A drag of this length turns it by one radian. */
  readonly radiusPx: number
  /** Pitch and zoom are clamped to their ranges. Animates only if motion is allowed. */
  setCamera(camera: GlobeCamera, motion: 'animated' | 'at-once'): void
  /** Stops an animation where it is, for a drag that begins meanwhile. A change of view is completed. */
  halt(): void
  setMarks(marks: GlobeMarks): void
  /** Undefined if the place is behind the globe. */
  project(point: Place): ScreenPoint | undefined
  /** The place under a point of the canvas; undefined outside the globe. */
  unproject(point: ScreenPoint): Place | undefined
  /**
   * The nodes within reach of a point (10 px by default; about 22 suits a finger), nearest first. Of
   * equally near ones, online nodes come first. Nodes behind the globe or in a group are left out.
   */
  pick(point: ScreenPoint, reachPx?: number): number[]
  /** The group whose mark is at a point, with all its nodes, however far apart they are. */
  pickGroup(point: ScreenPoint, slackPx: number): GroupHit | undefined
  /** Calls the listener for every drawn frame in which the camera moved, with true once it is at rest. */
  subscribe(listener: (isAtRest: boolean) => void): () => void
  /**
   * Calls the listener when this canvas can't show anything any more, because its WebGL context was lost
   * and did not come back. A canvas keeps its kind of context for life, so create the globe again on a new
   * canvas, without WebGL.
   */
  onGivenUp(listener: () => void): () => void
  dispose(): void
}

const pickReachPx = 10

/** Undefined if the browser gives no canvas context of any kind. */
export function createGlobe(
  canvas: HTMLCanvasElement,
  store: NodeStore,
  { withoutWebgl = false }: GlobeOptions = {},
): Globe | undefined {
  const moves = createEmitter<boolean>()
  const givenUp = createEmitter()
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
    nodeLook: nodeLook({ count: 0, zoom: 1, skyShare: 0, isGrouped: false }),
    strokes: createStrokes(),
  }
  let renderer: GlobeRenderer | undefined
  let hasMoved = false
  let decoration: typeof Decoration | undefined

  const updateScene = () => {
    const { shown } = motion
    scene.skyShare = shown.skyShare
    const isGrouped = groups.current !== undefined
    scene.nodeLook = nodeLook({ count: store.columns.count, ...shown, isGrouped })
    placePlanet(scene.projection, shown, scene.widthPx, scene.heightPx)
  }
  const draw = (nowMs: number): boolean => {
    const wasMoving = motion.isMoving
    motion.advance(nowMs)
    const isLandRising = land.advance(nowMs)
    scene.landShare = land.share
    updateScene()
    if (scene.skyShare === 0) groups.fit(scene.projection.radiusPx)
    if (renderer !== undefined && scene.widthPx > 0 && scene.heightPx > 0) {
      scene.strokes.clear()
      decoration?.strokeScenery(scene, motion.shown.yawDeg, motion.shown.pitchDeg)
      groups.current?.stroke(scene)
      decoration?.strokeNodeSigns(scene, store.columns, groups.current?.groupOf)
      marks.stroke(scene, store.columns)
      renderer.draw(scene)
    }
    if (hasMoved || wasMoving) moves.emit(false)
    hasMoved = false
    if (wasMoving && !motion.isMoving) rest.arrived()
    return motion.isMoving || isLandRising
  }
  const rest = createCameraRest(
    canvas,
    () => motion.target,
    () => moves.emit(true),
  )
  const settle = () => {
    if (!motion.isMoving) return
    motion.finish()
    updateScene()
    rest.arrived()
  }
  const loop = createFrameLoop(canvas, draw, settle)
  const land = followLand(isMotionWelcome, (rings) => {
    renderer?.setLand(rings)
    loop.request()
  })

  const groups = followGroups(store, () => {
    renderer?.setGroups(store.columns, groups.current?.groupOf)
    loop.request()
  })

  const decorate = async () => {
    decoration = await import('./decoration/decoration.ts')
    loop.request()
  }

  const takeRenderer = (next: GlobeRenderer) => {
    renderer = next
    next.setNodes(store.columns)
    next.setGroups(store.columns, groups.current?.groupOf)
    if (land.rings !== undefined) next.setLand(land.rings)
    loop.request()
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

  const events = {
    onStarted: takeRenderer,
    onLost: () => {
      renderer = undefined
    },
    onGivenUp: givenUp.emit,
  }
  const drawing = startRenderer(canvas, events, withoutWebgl)
  if (drawing === undefined) {
    loop.dispose()
    land.dispose()
    groups.dispose()
    return undefined
  }
  canvas.dataset['drawnBy'] = drawing.drawnBy
  const unsubscribe = store.subscribe((change) => {
    if (change.kind === 'replaced') {
      renderer?.setNodes(store.columns)
      groups.renew()
    } else {
      renderer?.setStatuses(store.columns, change.indexes)
      groups.current?.follow(store.columns, change.indexes)
    }
    loop.request()
  })
  groups.renew()
  // The planet does not wait for its stars and orbits.
  decorate().catch(() => undefined)
  // The callback runs between layout and paint, so the resized canvas never shows empty.
  const sizes = new ResizeObserver(fit)
  sizes.observe(canvas)
  // A window that moves to another monitor may change its pixel ratio but not its size.
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
      const isAnimated = how === 'animated' && isMotionWelcome() && loop.isSeen
      if (!motion.set(camera, isAnimated ? 'animated' : 'at-once')) return
      if (!isAnimated) {
        hasMoved = true
        // Callers that project before the next frame get what that frame will show.
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
    pick(point, reachPx = pickReachPx) {
      const groupOf = groups.current?.groupOf
      const found = pickNodes(scene.projection, store.columns, point, reachPx)
      return groupOf === undefined ? found : found.filter((index) => groupOf[index] === 0)
    },
    pickGroup: (point, slackPx) => groups.current?.pick(scene.projection, point, slackPx),
    subscribe: moves.on,
    onGivenUp: givenUp.on,
    dispose() {
      loop.dispose()
      land.dispose()
      groups.dispose()
      rest.dispose()
      sizes.disconnect()
      window.removeEventListener('resize', fit)
      unsubscribe()
      drawing.stop()
      renderer = undefined
    },
  }
}
