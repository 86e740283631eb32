import { createGlobe } from '../globe/create-globe.ts'
import type { Globe } from '../globe/globe.ts'
import type { GlobeController } from './globe-controller.ts'
import type { GlobeLabel } from './globe-labels.ts'
import { createPanelState, type PanelState } from './panel-state.ts'
import { type GlobeSurroundings, type WiredGlobe, wireGlobe } from './wire-globe.ts'

type Surroundings = Omit<GlobeSurroundings, 'state'>

/** What React has in hand: the globe that is on the page at the time, if any. */
export interface PanelGlobe extends Pick<
  GlobeController,
  'setView' | 'selectRegion' | 'closeChoice'
> {
  readonly state: PanelState
  /** What is returned takes it from the page again. */
  readonly mount: (surroundings: Surroundings) => () => void
  readonly act: (...action: Parameters<GlobeController['act']>) => void
  readonly setYou: (you: GlobeLabel | undefined) => void
  readonly focus: () => void
}

/**
 * Puts a globe onto a surface, wired to pointers, keys, nodes and attention. Where it has to be given
 * up (its WebGL context is gone for good), another one takes its place, drawn without.
 */
export function createPanelGlobe(): PanelGlobe {
  const state = createPanelState()
  let you: GlobeLabel | undefined
  let surface: HTMLElement | undefined
  let wired: WiredGlobe | undefined

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
    if (before !== undefined) globe.setCamera(before.camera, 'at-once')
    const parts = wireGlobe(globe, { ...surroundings, state })
    const stopWatching = globe.onGivenUp(() => {
      end(surroundings)
      start(surroundings, true, globe)
    })
    wired = {
      ...parts,
      dispose() {
        stopWatching()
        parts.dispose()
        globe.dispose()
        canvas.remove()
      },
    }
    wired.setYou(you)
    state.change({ drawing: 'drawn' })
  }
  const end = ({ layer }: Surroundings) => {
    wired?.dispose()
    wired = undefined
    layer.replaceChildren()
  }

  return {
    state,
    mount(surroundings) {
      surface = surroundings.surface
      start(surroundings, false)
      return () => end(surroundings)
    },
    act: (action) => {
      wired?.controller.act(action)
    },
    setView: (view) => wired?.controller.setView(view),
    selectRegion: (region) => wired?.controller.selectRegion(region),
    closeChoice: () => wired?.controller.closeChoice(),
    setYou(next) {
      you = next
      wired?.setYou(next)
    },
    focus: () => surface?.focus({ preventScroll: true }),
  }
}
