import { type RefObject, useEffect, useState } from 'react'
import { isMotionWelcome } from '../../../lib/motion.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { MapCamera, MapSize } from './map-camera.ts'

/** How the camera gets there: in a flight, in a short slide, or at once where motion is unwanted. */
export type Motion = 'flight' | 'step' | 'at-once'

/** A map that is there: MapLibre's, or the maps service's. */
export interface MapView {
  /** Where markers are placed: it is cut off with the map and lies under the map's own controls. */
  readonly overlay: HTMLElement
  /** Where the map's top left corner lies on the overlay. */
  readonly overlayOffset: { readonly xPx: number; readonly yPx: number }
  readonly camera: MapCamera
  readonly size: MapSize
  /** Whether the map draws every node itself; where not, markers draw theirs. */
  readonly drawsNodes: boolean
  setCamera(camera: MapCamera, motion: Motion): void
  /** The nodes that no marker counts with others: a map that draws nodes gives these their own marks. */
  showAlone(indexes: readonly number[]): void
  /** Told with every frame in which the camera moved, and once when it has come to rest. */
  subscribe(listener: (isAtRest: boolean) => void): () => void
  dispose(): void
}

export interface MapOptions {
  readonly container: HTMLElement
  readonly store: NodeStore
  /** Told when a map that was there can't go on; with the reason. */
  readonly onFailure: (message: string) => void
}

/** Draws a map into the container; rejects, with a reason that people can read, when it can't. */
export type CreateMap = (options: MapOptions) => Promise<MapView>

export type MapState =
  | { readonly step: 'loading' }
  | { readonly step: 'failed'; readonly message: string }
  | { readonly step: 'ready'; readonly view: MapView }

interface Outcome {
  readonly attempt: number
  readonly state: MapState
}

const loading: MapState = { step: 'loading' }

/** A map in the container for as long as the component stands, and a way to try again. */
export function useMapView(
  container: RefObject<HTMLElement | null>,
  store: NodeStore,
  createMap: CreateMap,
) {
  const [attempt, setAttempt] = useState(0)
  const [outcome, setOutcome] = useState<Outcome>()

  useEffect(() => {
    const host = container.current
    if (host === null) return undefined
    // A host of its own for each try: the maps leave traces in theirs.
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

/** The motion, or none where the visitor wants nothing to move by itself. */
export function wantedMotion(motion: Motion): Motion {
  return isMotionWelcome() ? motion : 'at-once'
}
