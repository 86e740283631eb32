import { createEmitter } from '../../../lib/emitter.ts'
import { isMotionWelcome } from '../../../lib/motion.ts'
import { nodeStyle } from '../drawing/node-style.ts'
import type { Place } from '../geometry/unit-vector.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { createFrameLoop } from './frame-loop.ts'
import {
  createCameraMotion,
  createCameraRest,
  firstCamera,
  type GlobeCamera,
} from './globe-camera.ts'
import {
  canvasPixelRatio,
  createStrokes,
  type GlobeRenderer,
  type GlobeScene,
} from './globe-scene.ts'
import type { createGroups, Groups } from './groups.ts'
import { followLand } from './land.ts'
import { createArcStrokes, type GlobeArc } from './arcs.ts'
import { createMarkStrokes, type GlobeMarks } from './marks.ts'
import {
  createProjection,
  pickNodes,
  placePlanet,
  project,
  type ScreenPoint,
  unproject,
} from './projection.ts'
import type * as Decoration from './decoration.ts'
import { startRenderer } from './start-renderer.ts'

export type Globe = NonNullable<ReturnType<typeof createGlobe>>

/** Draws only when something has changed. Undefined if the browser gives no context of any kind. */
export function createGlobe(
  canvas: HTMLCanvasElement,
  store: NodeStore,
  { withoutWebgl = false } = {},
) {
  const moves = createEmitter<boolean>()
  const givenUp = createEmitter()
  const motion = createCameraMotion(firstCamera)
  const marks = createMarkStrokes()
  const arcs = createArcStrokes()
  const scene: GlobeScene = {
    widthPx: 0,
    heightPx: 0,
    pixelRatio: 1,
    projection: createProjection(),
    skyShare: 0,
    landShare: 0,
    region: undefined,
    nodeStyle: nodeStyle({ count: 0, zoom: 1, skyShare: 0, isGrouped: false }),
    strokes: createStrokes(),
  }
  let renderer: GlobeRenderer | undefined
  let hasMoved = false
  let decoration: typeof Decoration | undefined

  const updateScene = () => {
    const { shown } = motion
    scene.skyShare = shown.skyShare
    const isGrouped = groups.current !== undefined
    scene.nodeStyle = nodeStyle({ count: store.columns.count, ...shown, isGrouped })
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
      arcs.stroke(scene)
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
    decoration = await import('./decoration.ts')
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
    /** Radius of the planet as drawn now. A drag of this length turns it by one radian. */
    get radiusPx() {
      return scene.projection.radiusPx
    },
    /** Pitch and zoom are clamped to their ranges. Animates only if motion is allowed. */
    setCamera(camera: GlobeCamera, how: 'animated' | 'at-once') {
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
    /** Stops an animation where it is, for a drag that begins meanwhile. A change of view is completed. */
    halt() {
      if (!motion.isMoving) return
      motion.halt()
      hasMoved = true
      updateScene()
      rest.moved()
      loop.request()
    },
    setMarks(next: GlobeMarks) {
      marks.set(next)
      scene.region = next.region
      loop.request()
    },
    setArcs(next: readonly GlobeArc[]) {
      arcs.set(next)
      loop.request()
    },
    project: (point: Place) => project(scene.projection, point),
    unproject: (point: ScreenPoint) => unproject(scene.projection, point),
    pick(point: ScreenPoint, reachPx: number) {
      const groupOf = groups.current?.groupOf
      const found = pickNodes(scene.projection, store.columns, point, reachPx)
      return groupOf === undefined ? found : found.filter((index) => groupOf[index] === 0)
    },
    pickGroup: (point: ScreenPoint, slackPx: number) =>
      groups.current?.pick(scene.projection, point, slackPx),
    /** Calls the listener for every drawn frame in which the camera moved, with true once it is at rest. */
    subscribe: moves.on,
    /** The WebGL context was lost for good. A canvas keeps its kind of context, so use a new one. */
    onGivenUp: givenUp.on,
    dispose: () => {
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

/** Nodes are grouped again when the planet's size changes by about this factor (natural logarithm). */
const sizeStep = Math.log(1.05)

/** Groups the nodes of a store. The code for it loads once there are nodes to group. */
function followGroups(store: NodeStore, onGrouped: () => void) {
  let create: typeof createGroups | undefined
  let current: Groups | undefined
  let radiusPx = 0
  let groupedStep: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const load = async () => {
    create = (await import('./groups.ts')).createGroups
    group()
  }
  const group = () => {
    clearTimeout(timer)
    timer = undefined
    current = undefined
    if (store.columns.count > 1 && radiusPx > 0 && create !== undefined) {
      groupedStep = stepOf(radiusPx)
      current = create(store.columns, radiusPx)
    }
    onGrouped()
  }

  return {
    get current() {
      return current
    },
    /** Call it every frame with the planet's radius. Grouping itself waits until after the frame. */
    fit(nextPx: number) {
      radiusPx = nextPx
      if (create === undefined || timer !== undefined || stepOf(nextPx) === groupedStep) return
      timer = setTimeout(group)
    },
    renew() {
      group()
      // Without it, overlapping nodes are drawn as they are. The next list tries again.
      if (create === undefined && store.columns.count > 1) load().catch(() => undefined)
    },
    dispose() {
      clearTimeout(timer)
      create = undefined
      radiusPx = 0
    },
  }
}

function stepOf(radiusPx: number): number {
  return Math.round(Math.log(radiusPx) / sizeStep)
}
