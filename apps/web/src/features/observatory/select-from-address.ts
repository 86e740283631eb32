import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { findNode } from './nodes/node-columns.ts'
import { summarizeNode } from './nodes/node-name.ts'
import type { NodeStore } from './nodes/node-store.ts'
import type { Selection } from './selection.ts'

/** How many degrees of the Earth to show around the device. */
const spanDeg = 60

/** Selects the device in the address (`?device=`) once the store has it. */
export function useDeviceOfAddress(store: NodeStore, selection: Selection): void {
  const id = useSearchParams()[0].get('device')
  useEffect(() => {
    if (id === null) return undefined
    let isSelected = false
    const selectOnce = () => {
      const index = isSelected ? undefined : findNode(store.columns, id)
      if (index === undefined) return
      isSelected = true
      const { latDeg, lonDeg } = summarizeNode(store.columns, index)
      selection.select(id, { latDeg, lonDeg, spanDeg })
    }
    selectOnce()
    return store.subscribe(selectOnce)
  }, [id, store, selection])
}
