import { type RefObject, useEffect, useState } from 'react'
import { isMotionWelcome } from '../../../lib/motion.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { MapCamera } from './map-camera.ts'
import type { Size } from '../geometry/boxes.ts'

/** How the camera moves: a flight, a short slide, or at once if motion is not welcome. */
type Motion = 'flight' | 'step' | 'at-once'

export interface MapView {
  /** Holds the markers. It is clipped with the map and lies below the map's own controls. */
  readonly overlay: HTMLElement
  readonly overlayOffset: { readonly xPx: number; readonly yPx: number }
  readonly camera: MapCamera
  readonly size: Size
  /** Whether the map draws every node itself. If not, the markers draw them. */
  readonly drawsNodes: boolean
  setCamera(camera: MapCamera, motion: Motion): void
  /** The nodes that are in no group. A map that draws nodes gives each of these its own mark. */
  showAlone(indexes: readonly number[]): void
  /** Calls the listener for every frame in which the camera moved, with true once it is at rest. */
  readonly subscribe: (listener: (isAtRest: boolean) => void) => () => void
  dispose(): void
}

export interface MapOptions {
  readonly container: HTMLElement
  readonly store: NodeStore
  readonly onFailure: (message: string) => void
}

/** Draws a map into the container. Rejects with a reason for the visitor if it can't. */
export type CreateMap = (options: MapOptions) => Promise<MapView>

export type MapState =
  | { readonly step: 'loading' }
  | { readonly step: 'failed'; readonly message: string }
  | { readonly step: 'ready'; readonly view: MapView }

const loading: MapState = { step: 'loading' }

/** Keeps a map in the container while the component is mounted. `retry` starts again after a failure. */
export function useMapView(
  container: RefObject<HTMLElement | null>,
  store: NodeStore,
  createMap: CreateMap,
) {
  const [attempt, setAttempt] = useState(0)
  const [outcome, setOutcome] = useState<{ attempt: number; state: MapState }>()

  useEffect(() => {
    const host = container.current
    if (host === null) return undefined
    const element = document.createElement('div')
    element.className = 'size-full'
    host.append(element)
    let isWanted = true
    let view: MapView | undefined
    const fail = (message: string) => {
      if (isWanted) setOutcome({ attempt, state: { step: 'failed', message } })
    }
    const start = async () => {
      view = await createMap({ container: element, store, onFailure: fail })
      if (isWanted) setOutcome({ attempt, state: { step: 'ready', view } })
      else view.dispose()
    }
    start().catch((error: unknown) => {
      fail(error instanceof Error ? error.message : String(error))
    })
    return () => {
      isWanted = false
      view?.dispose()
      element.remove()
    }
  }, [container, store, createMap, attempt])

  const state = outcome?.attempt === attempt ? outcome.state : loading
  return { state, retry: () => setAttempt(attempt + 1) }
}

/** The motion, or 'at-once' if the visitor prefers reduced motion. */
export function wantedMotion(motion: Motion): Motion {
  return isMotionWelcome() ? motion : 'at-once'
}
