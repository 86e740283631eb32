import { motionPause } from '../../../lib/motion-pause.ts'
import type { Attention } from '../attention.ts'
import type { Globe } from '../globe/globe.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { actionOfKey } from './globe-action.ts'
import { createGlobeController, type GlobeController } from './globe-controller.ts'
import { createGlobeDrag } from './globe-drag.ts'
import { createGlobeLabels, type GlobeLabel } from './globe-labels.ts'
import { createGlobeMarking } from './globe-marking.ts'
import { listenToPointers } from './globe-pointers.ts'
import { createNodeWalk } from './node-walk.ts'
import { oncePerFrame } from './once-per-frame.ts'
import type { PanelState } from './panel-state.ts'
import { followPlaceNames } from './place-names.ts'
import { createWheelSteps } from './wheel-steps.ts'

export interface GlobeSurroundings {
  /** Everything around the globe: Escape counts within it. */
  readonly panel: HTMLElement
  /** Takes the canvas, the focus and the pointers. */
  readonly surface: HTMLElement
  /** Takes the labels. */
  readonly layer: HTMLElement
  readonly store: NodeStore
  readonly attention: Attention
  readonly state: PanelState
}

export interface WiredGlobe {
  readonly controller: GlobeController
  readonly setYou: (you: GlobeLabel | undefined) => void
  readonly dispose: () => void
}

/** Connects one globe with pointers, keys, the wheel, the nodes and the attention. */
export function wireGlobe(globe: Globe, surroundings: GlobeSurroundings): WiredGlobe {
  const { panel, surface, layer, store, attention, state } = surroundings
  const reducedMotion = window.matchMedia('(prefers-reduced-motion: reduce)')
  const isStill = () => reducedMotion.matches || motionPause.isPaused()
  const labels = createGlobeLabels(layer, globe)
  const marking = createGlobeMarking({ globe, labels, store, attention })
  const walk = createNodeWalk(globe, store, surface)
  const drag = createGlobeDrag({ globe, surface, isStill })
  const controller = createGlobeController({
    globe,
    drag,
    marking,
    walk,
    store,
    attention,
    state,
    follow: (href) => window.location.assign(href),
    showUnder: (thing) => {
      surface.dataset['under'] = thing
    },
  })
  const hover = oncePerFrame(controller.pointers.hover)
  const names = followPlaceNames(globe, labels)
  marking.setRegion(state.read().region)
  marking.select()

  const takeKey = (event: KeyboardEvent, isMeant: boolean) => {
    const action = actionOfKey(event)
    if (action === undefined || !isMeant || event.defaultPrevented) return
    if (controller.act(action)) event.preventDefault()
  }
  const onKey = (event: KeyboardEvent) => takeKey(event, event.key !== 'Escape')
  // Whoever has just seen the hint has the focus nowhere yet.
  const onPageKey = (event: KeyboardEvent) => {
    const { target } = event
    const isHere = target === document.body || (target instanceof Node && panel.contains(target))
    takeKey(event, event.key === 'Escape' && isHere && isOnScreen(surface))
  }
  const steps = createWheelSteps()
  // The wheel alone scrolls the page, as on other maps within a page.
  const onWheel = (event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    controller.zoomBy(steps(event))
  }
  const ended = new AbortController()
  const { signal } = ended
  surface.addEventListener('keydown', onKey, { signal })
  document.addEventListener('keydown', onPageKey, { signal })
  surface.addEventListener('wheel', onWheel, { passive: false, signal })

  const endings = [
    listenToPointers(surface, { ...controller.pointers, hover: hover.call }),
    globe.subscribe((isAtRest) => {
      labels.move()
      if (!isAtRest) return
      controller.rested()
      names.follow()
    }),
    store.subscribe(({ kind }) => {
      walk.forget()
      if (kind === 'replaced') marking.renew()
    }),
    attention.subscribe(marking.select),
    attention.onSight(controller.turnTo),
    names.stop,
    hover.stop,
    drag.stop,
    () => ended.abort(),
  ]
  return {
    controller,
    setYou: marking.setYou,
    dispose: () => {
      for (const stop of endings) stop()
    },
  }
}

function isOnScreen(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < window.innerHeight
}
