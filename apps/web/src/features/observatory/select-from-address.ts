import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { summaryOf } from './nodes/node-name.ts'
import type { NodeStore } from './nodes/node-store.ts'
import type { Selection } from './selection.ts'

const spanDeg = 60

/** Selects the device in the address (`?device=`) once the store has it. */
export function useDeviceOfAddress(store: NodeStore, selection: Selection): void {
  const id = useSearchParams()[0].get('device')
  useEffect(() => {
    if (id === null) return undefined
    let isSelected = false
    const selectOnce = () => {
      const node = isSelected ? undefined : summaryOf(store.columns, id)
      if (node === undefined) return
      isSelected = true
      selection.select(id, { latDeg: node.latDeg, lonDeg: node.lonDeg, spanDeg })
    }
    selectOnce()
    return store.subscribe(selectOnce)
  }, [id, store, selection])
}
