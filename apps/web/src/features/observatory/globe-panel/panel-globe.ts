import { listenToPointers } from '../../../lib/pointers.ts'
import { createGlobe, type Globe } from '../globe/globe.ts'
import type { Region } from '../globe/region.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { Selection } from '../selection.ts'
import { createGlobeCard } from './globe-card.ts'
import { createGlobeController, type SavedCamera } from './globe-controller.ts'
import { createGlobeDrag } from './globe-drag.ts'
import { type GlobeAction, listenToKeys } from './globe-keyboard.ts'
import { createGlobeLabels, createGlobeMarking, type GlobeLabel } from './globe-marking.ts'
import { createPanelState, type PanelState } from './panel-state.ts'

interface Surroundings {
  readonly panel: HTMLElement
  readonly surface: HTMLElement
  readonly layer: HTMLElement
  readonly store: NodeStore
  readonly selection: Selection
}

interface PanelGlobeOptions {
  readonly opening: SavedCamera
  readonly onRest: (left: SavedCamera) => void
}

export type PanelGlobe = ReturnType<typeof createPanelGlobe>

/** Connects a globe with its surroundings. After a lost WebGL context, Canvas 2D takes over. */
export function createPanelGlobe({ opening, onRest }: PanelGlobeOptions) {
  const state = createPanelState(opening.view)
  let you: GlobeLabel | undefined
  let surface: HTMLElement | undefined
  let wired: (ReturnType<typeof wireGlobe> & { readonly end: () => void }) | undefined

  const start = (surroundings: Surroundings, withoutWebgl: boolean, before?: Globe) => {
    const canvas = document.createElement('canvas')
    canvas.className = 'absolute inset-0 size-full'
    surroundings.surface.append(canvas)
    const globe = createGlobe(canvas, surroundings.store, { withoutWebgl })
    if (globe === undefined) {
      canvas.remove()
      state.change({ drawing: 'impossible' })
      return
    }
    const { view, zoom } = opening
    globe.setCamera(before?.camera ?? { ...globe.camera, view, zoom }, 'at-once')
    const parts = wireGlobe(globe, surroundings, state)
    const endings = [
      globe.onGivenUp(() => {
        end(surroundings)
        start(surroundings, true, globe)
      }),
      globe.subscribe((isAtRest) => {
        if (isAtRest) onRest({ view: globe.camera.view, zoom: globe.camera.zoom })
      }),
      ...parts.endings,
      globe.dispose,
      () => canvas.remove(),
    ]
    wired = { ...parts, end: () => endings.forEach((stop) => stop()) }
    wired.setYou(you)
    state.change({ drawing: 'drawn' })
  }
  const end = ({ layer }: Surroundings) => {
    wired?.end()
    wired = undefined
    layer.replaceChildren()
  }

  return {
    state,
    mount(surroundings: Surroundings) {
      surface = surroundings.surface
      start(surroundings, false)
      return () => end(surroundings)
    },
    act: (action: GlobeAction) => void wired?.controller.act(action),
    setView: (view: SavedCamera['view']) => wired?.controller.setView(view),
    selectRegion: (region?: Region) => wired?.controller.selectRegion(region),
    closeChoice: () => wired?.controller.closeChoice(),
    camera: () => wired?.controller.camera(),
    setYou(next: GlobeLabel | undefined) {
      you = next
      wired?.setYou(next)
    },
    reopen: (left: SavedCamera) => wired?.controller.reopen(left),
    focus: () => surface?.focus({ preventScroll: true }),
    frame: () => ({ widthPx: surface?.clientWidth ?? 0, heightPx: surface?.clientHeight ?? 0 }),
  }
}

function wireGlobe(globe: Globe, surroundings: Surroundings, state: PanelState) {
  const { panel, surface, layer, store, selection } = surroundings
  const labels = createGlobeLabels(layer, globe)
  const marking = createGlobeMarking({ globe, labels, store, selection })
  const drag = createGlobeDrag(globe, surface)
  const card = createGlobeCard(globe, store, state)
  const parts = { globe, surface, drag, marking, card, store, selection, state }
  const controller = createGlobeController(parts)
  marking.setRegion(state.read().region)
  marking.select()

  const endings = [
    listenToPointers(surface, controller.pointers),
    listenToKeys(surface, panel, controller.act),
    globe.subscribe((isAtRest) => {
      labels.move()
      if (!isAtRest) return
      controller.rested()
      labels.rested()
    }),
    store.subscribe(({ kind }) => {
      controller.resetWalk()
      if (kind === 'replaced') marking.renew()
    }),
    selection.subscribe(marking.select),
    selection.onSight(controller.turnTo),
    labels.dispose,
    drag.stop,
    card.close,
  ]
  return { controller, setYou: marking.setYou, endings }
}
