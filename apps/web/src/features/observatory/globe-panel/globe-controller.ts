import { t } from '@lingui/core/macro'
import { radPerDeg } from '../geometry/unit-vector.ts'
import {
  firstCamera,
  type GlobeCamera,
  greatestZoom,
  steppedZoom,
  zoomForSpan,
} from '../globe/globe-camera.ts'
import type { Globe } from '../globe/globe.ts'
import type { GroupHit } from '../globe/groups.ts'
import type { ScreenPoint } from '../globe/projection.ts'
import { type Region, regionAt } from '../globe/region.ts'
import { textAt } from '../nodes/node-columns.ts'
import { nodeHref, summarizeNode } from '../nodes/node-name.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { Selection, Sight } from '../selection.ts'
import type { GlobeCard } from './globe-card.ts'
import type { GlobeDrag } from './globe-drag.ts'
import { type GlobeAction, spokenCamera, spokenRegion } from './globe-keyboard.ts'
import type { GlobeMarking } from './globe-marking.ts'
import type { PointerTarget } from '../../../lib/pointers.ts'
import type { NodeWalk } from './node-walk.ts'
import type { PanelState } from './panel-state.ts'

const turnDeg = 10
/** How far from its mark a node can be hit, by a mouse and by a finger. */
const mouseReachPx = 10
const touchReachPx = 22
/** How far outside its mark a group can be hit. */
const groupSlackPx = { mouse: 2, touch: 8 } as const
/** Nodes that are closer than this at the greatest zoom can't be separated by zooming in. */
const leastPartedPx = 24
const mostChoices = 50

interface ControllerParts {
  readonly globe: Globe
  readonly surface: HTMLElement
  readonly drag: GlobeDrag
  readonly marking: GlobeMarking
  readonly card: GlobeCard
  readonly store: NodeStore
  readonly selection: Selection
  readonly state: PanelState
}

export type SavedCamera = Pick<GlobeCamera, 'view' | 'zoom'>

interface Press {
  readonly hits: readonly number[]
  readonly group: GroupHit | undefined
  readonly region: Region | undefined
  readonly isTouch: boolean
}

export function createGlobeController(parts: ControllerParts) {
  const { globe, surface, drag, marking, card, store, selection, state } = parts
  let opened = globe.camera
  let press: Press | undefined
  let walk: NodeWalk | undefined
  let pinchedZoom = 1
  let speaksAtRest = false

  const inEarth = () => globe.camera.view === 'earth'
  const hasLink = (index: number) => nodeHref(store.columns, index) !== undefined
  const closeChoice = () => {
    card.close()
    state.change({ choice: undefined })
  }
  const publishCamera = () => {
    const { view, zoom } = globe.camera
    walk?.reset()
    state.change({
      view,
      canZoomIn: steppedZoom(zoom, 'in') > zoom,
      canZoomOut: steppedZoom(zoom, 'out') < zoom,
    })
  }
  const moveTo = (camera: GlobeCamera, motion: 'animated' | 'at-once') => {
    closeChoice()
    globe.setCamera(camera, motion)
    publishCamera()
  }
  const selectRegion = (region: Region | undefined) => {
    state.change({ region })
    marking.setRegion(region)
  }
  const setView = (view: GlobeCamera['view']) => {
    drag.stop()
    if (view === 'sky') {
      selectRegion(undefined)
      marking.focus(undefined)
    }
    moveTo({ ...globe.camera, view }, 'animated')
  }

  const open = (index: number, isTouch = false) => {
    const href = nodeHref(store.columns, index)
    if (href === undefined) selection.select(textAt(store.columns.ids, index))
    if (isTouch) card.open(index)
    else if (href !== undefined) window.location.assign(href)
  }
  const choose = (hits: readonly number[], { xPx, yPx }: ScreenPoint, sight?: Sight) => {
    const nodes = hits.slice(0, mostChoices).map((index) => summarizeNode(store.columns, index))
    const own = hits.filter((index) => store.columns.from[index] === 0).length
    state.change({ choice: { xPx, yPx, nodes, total: hits.length, own, sight } })
  }
  const openGroup = ({ indexes, latDeg, lonDeg, spanDeg }: GroupHit, point: ScreenPoint) => {
    const { camera, radiusPx } = globe
    const closestPx = (spanDeg * radPerDeg * radiusPx * greatestZoom) / camera.zoom
    if (camera.zoom < greatestZoom && closestPx > leastPartedPx) {
      drag.stop()
      moveTo({ view: 'earth', zoom: greatestZoom, yawDeg: lonDeg, pitchDeg: latDeg }, 'animated')
      speaksAtRest = true
    } else choose(indexes, point, { latDeg, lonDeg, spanDeg: Math.max(1, spanDeg * 1.5) })
  }

  const zoomBy = (steps: number) => {
    if (!inEarth() || steps === 0) return
    drag.stop()
    let { zoom } = globe.camera
    for (let step = 0; step < Math.abs(steps); step++) {
      zoom = steppedZoom(zoom, steps > 0 ? 'in' : 'out')
    }
    moveTo({ ...globe.camera, zoom }, 'animated')
    speaksAtRest = true
  }

  const pointers: PointerTarget = {
    zoomBy,
    press(point, isTouch) {
      drag.stop()
      globe.halt()
      closeChoice()
      marking.focus(undefined)
      const place = inEarth() ? globe.unproject(point) : undefined
      const group = inEarth()
        ? globe.pickGroup(point, groupSlackPx[isTouch ? 'touch' : 'mouse'])
        : undefined
      const isGroup = group !== undefined
      const hits =
        inEarth() && !isGroup ? globe.pick(point, isTouch ? touchReachPx : mouseReachPx) : []
      const isElsewhere = !isGroup && !hits.some((index) => hasLink(index))
      const region = place !== undefined && isElsewhere ? regionAt(place) : undefined
      press = { hits, group, region, isTouch }
      // A touch may begin a scroll of the page, so it selects nothing yet.
      if (region !== undefined && !isTouch) selectRegion(region)
    },
    click(point) {
      const { hits = [], group, region, isTouch } = press ?? {}
      press = undefined
      if (!inEarth()) {
        if (globe.unproject(point) !== undefined) setView('earth')
        return
      }
      const [nearest] = hits
      if (group !== undefined) openGroup(group, point)
      else if (region !== undefined) selectRegion(region)
      else if (nearest === undefined) {
        selectRegion(undefined)
        selection.select(undefined)
      }
      if (hits.length > 1) choose(hits, point)
      else if (nearest !== undefined) open(nearest, isTouch)
    },
    dragStart(point) {
      if (!inEarth()) return
      if (press?.region !== undefined) selectRegion(press.region)
      press = undefined
      drag.start(point)
    },
    dragTo(point, timeMs) {
      if (!inEarth()) return
      card.close()
      drag.to(point, timeMs)
      walk?.reset()
    },
    dragEnd(timeMs) {
      if (inEarth()) drag.end(timeMs)
    },
    pinchStart() {
      press = undefined
      pinchedZoom = globe.camera.zoom
    },
    pinchTo(scale, movedXPx, movedYPx) {
      if (!inEarth()) return
      drag.by(movedXPx, movedYPx)
      moveTo({ ...globe.camera, zoom: pinchedZoom * scale }, 'at-once')
    },
    hover(point) {
      const isGroup = point && inEarth() && globe.pickGroup(point, groupSlackPx.mouse) !== undefined
      const index = point && inEarth() && !isGroup ? globe.pick(point, mouseReachPx)[0] : undefined
      marking.hover(index)
      card.pointAt(index ?? marking.focusedIndex())
      // The mouse pointer's shape depends on what is under it.
      const { dataset } = surface
      if (isGroup) dataset['under'] = 'node'
      else if (index !== undefined) dataset['under'] = hasLink(index) ? 'link' : 'node'
      else dataset['under'] = point && globe.unproject(point) ? 'planet' : 'space'
    },
  }

  const turn = (eastDeg: number, northDeg: number) => {
    drag.stop()
    const { camera } = globe
    const yawDeg = camera.yawDeg + eastDeg
    moveTo({ ...camera, yawDeg, pitchDeg: camera.pitchDeg + northDeg }, 'animated')
    speaksAtRest = true
  }
  const walkOn = async (direction: 1 | -1) => {
    walk ??= (await import('./node-walk.ts')).createNodeWalk(globe, store, surface)
    const step = walk.step(marking.focusedIndex(), direction)
    if (step !== undefined) {
      marking.focus(step.index)
      card.pointAt(step.index)
    }
    state.change({ spoken: step?.spoken ?? t`No device is in sight here.` })
  }
  const openFocused = () => {
    const index = marking.focusedIndex()
    if (index !== undefined) {
      open(index)
      return
    }
    const { yawDeg, pitchDeg } = globe.camera
    const region = regionAt({ latDeg: pitchDeg, lonDeg: yawDeg })
    selectRegion(region)
    state.change({ spoken: spokenRegion(region) })
  }
  const leave = () => {
    const { choice, card: shown } = state.read()
    if (choice === undefined && !shown?.isOpened) setView('sky')
    else closeChoice()
  }

  const actions: Readonly<Record<GlobeAction, () => unknown>> = {
    'turn-west': () => turn(-turnDeg, 0),
    'turn-east': () => turn(turnDeg, 0),
    'turn-north': () => turn(0, turnDeg),
    'turn-south': () => turn(0, -turnDeg),
    'zoom-in': () => zoomBy(1),
    'zoom-out': () => zoomBy(-1),
    reset() {
      drag.stop()
      moveTo(firstCamera, 'animated')
      speaksAtRest = true
    },
    // If the code did not load, the next key press tries again.
    'next-node': () => walkOn(1).catch(() => undefined),
    'previous-node': () => walkOn(-1).catch(() => undefined),
    open: openFocused,
    leave,
  }

  return {
    pointers,
    act: (action: GlobeAction) => {
      const isPossible = inEarth() || action === 'open'
      if (inEarth()) actions[action]()
      else if (isPossible) setView('earth')
      return isPossible
    },
    setView,
    /** Where the globe is or is turning to. A new object after each move. */
    camera: () => globe.camera,
    /** Restores the camera if the preferences arrive late. Does nothing once the globe has moved. */
    reopen({ view, zoom }: SavedCamera) {
      if (globe.camera !== opened) return
      moveTo({ ...opened, view, zoom }, 'animated')
      opened = globe.camera
    },
    selectRegion,
    closeChoice,
    /** Call it when the nodes have changed: the keyboard's order is then out of date. */
    resetWalk: () => walk?.reset(),
    turnTo: ({ latDeg, lonDeg, spanDeg }: Sight) => {
      drag.stop()
      const zoom = zoomForSpan(spanDeg)
      moveTo({ view: 'earth', zoom, yawDeg: lonDeg, pitchDeg: latDeg }, 'animated')
    },
    rested() {
      publishCamera()
      marking.leaveHidden()
      card.pointAt(marking.focusedIndex())
      if (!speaksAtRest) return
      speaksAtRest = false
      state.change({ spoken: spokenCamera(globe.camera) })
    },
  }
}
