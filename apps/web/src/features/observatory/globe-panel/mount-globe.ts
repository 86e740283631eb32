import { createGlobe } from '../globe/create-globe.ts'
import type { Globe } from '../globe/globe.ts'
import type { GlobeController } from './globe-controller.ts'
import type { GlobeLabel } from './globe-labels.ts'
import { type GlobeSurroundings, type WiredGlobe, wireGlobe } from './wire-globe.ts'

export interface MountedGlobe {
  readonly controller: () => GlobeController | undefined
  readonly setYou: (you: GlobeLabel | undefined) => void
  readonly dispose: () => void
}

/**
 * Puts a globe onto the surface and wires it to pointers, keys, nodes and attention. Where it has to
 * be given up (its WebGL context is gone for good), another one takes its place, drawn without.
 */
export function mountGlobe(options: GlobeSurroundings): MountedGlobe {
  const { surface, layer, state } = options
  let you: GlobeLabel | undefined
  let wired: WiredGlobe | undefined

  const start = (withoutWebgl: boolean, before?: Globe) => {
    const canvas = surface.ownerDocument.createElement('canvas')
    canvas.className = 'absolute inset-0 size-full'
    surface.append(canvas)
    const globe = createGlobe(canvas, options.store, { withoutWebgl })
    if (globe === undefined) {
      canvas.remove()
      state.change({ drawing: 'impossible' })
      return
    }
    if (before !== undefined) globe.setCamera(before.camera, 'at-once')
    const parts = wireGlobe(globe, options)
    const stopWatching = globe.onGivenUp(() => {
      end()
      start(true, globe)
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
  const end = () => {
    wired?.dispose()
    wired = undefined
    layer.replaceChildren()
  }

  start(false)
  return {
    controller: () => wired?.controller,
    setYou(next) {
      you = next
      wired?.setYou(next)
    },
    dispose: end,
  }
}
