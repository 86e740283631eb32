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
  /** Draws by Canvas 2D: for the fresh canvas after a globe was given up. */
  readonly withoutWebgl?: boolean
}

/** The drawn globe. It draws when something changed, and never otherwise. */
export interface Globe {
  readonly drawnBy: 'webgl2' | 'canvas2d'
  /** Where it is or, while it moves, where it moves to. */
  readonly camera: GlobeCamera
  /** Of the planet as drawn now, in CSS pixels: a drag over this length turns it by one radian. */
  readonly radiusPx: number
  /** Pitch and zoom are brought into their ranges. Animated where motion is allowed. */
  setCamera(camera: GlobeCamera, motion: 'animated' | 'at-once'): void
  /** Ends an animation where it is, for a drag that starts meanwhile; a change of view is completed. */
  halt(): void
  setMarks(marks: GlobeMarks): void
  /** Undefined where the point lies behind the globe. */
  project(point: Place): ScreenPoint | undefined
  /** The place under a point of the canvas; undefined beside the globe. */
  unproject(point: ScreenPoint): Place | undefined
  /**
   * The nodes within reach of a point (10 px unless said otherwise; a fingertip wants about 22) that
   * are not behind the globe and in no group: the nearest first, of equally near ones the online
   * first.
   */
  pick(point: ScreenPoint, reachPx?: number): number[]
  /** The nodes that the counted mark at a point stands for, however far they lie apart. */
  pickGroup(point: ScreenPoint, slackPx: number): GroupHit | undefined
  /** Told with every drawn frame in which the camera moved, and once when it has come to rest. */
  subscribe(listener: (isAtRest: boolean) => void): () => void
  /**
   * Told when this canvas can show nothing any more: its WebGL context was lost and did not come
   * back. A canvas keeps its kind of context for life, so make the globe anew, on a fresh canvas and
   * without WebGL.
   */
  onGivenUp(listener: () => void): () => void
  dispose(): void
}

const pickReachPx = 10

/** Undefined where the browser gives no canvas context of any kind. */
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
      const isAnimated = how === 'animated' && isMotionWelcome() && loop.isSeen
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
