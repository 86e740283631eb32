import type { Place } from '@astropelago/contract/place'
import { type ComponentType, createContext, use } from 'react'
import { useOnDemand } from '../ui/use-on-demand.ts'

export interface PlacePickerProps {
  readonly place: Place | undefined
  readonly onPick: (place: Place) => void
}

type FetchPlacePicker = () => Promise<ComponentType<PlacePickerProps>>

/** Fetches the map for picking a place. It belongs to another feature, and routes.tsx passes it in. */
export const PlacePickerSource = createContext<FetchPlacePicker | undefined>(undefined)

const fetchNone: FetchPlacePicker = () => Promise.reject(new Error('No map was handed in'))

export function usePlacePicker() {
  const fetchPicker = use(PlacePickerSource)
  const [state, load] = useOnDemand(fetchPicker ?? fetchNone)
  return {
    isOffered: fetchPicker !== undefined,
    isLoading: state.step === 'loading',
    Component: state.step === 'ready' ? state.Component : undefined,
    load,
  }
}
