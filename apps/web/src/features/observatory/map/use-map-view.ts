import { type RefObject, useEffect, useState } from 'react'
import type { NodeStore } from '../nodes/node-store.ts'
import type { CreateMap } from './create-map.ts'
import type { MapView } from './map-view.ts'

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
