import { useMemo } from 'react'
import { useSavedLocation } from '../../../lib/saved-location.ts'
import { findNode } from '../nodes/find-node.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'
import type { MapPinProps } from './map-pin.tsx'
import { worldPoint } from './mercator.ts'

/** What lies on the map beside the nodes. */
export function usePins(columns: NodeColumns, selectedId: string | undefined): MapPinProps[] {
  const you = useSavedLocation()
  return useMemo(() => {
    const pins: MapPinProps[] = []
    const selected = selectedId === undefined ? undefined : findNode(columns, selectedId)
    const latDeg = selected === undefined ? undefined : columns.latDeg[selected]
    const lonDeg = selected === undefined ? undefined : columns.lonDeg[selected]
    if (latDeg !== undefined && lonDeg !== undefined) {
      pins.push({ kind: 'selected', text: '', point: worldPoint(latDeg, lonDeg) })
    }
    if (you !== undefined) {
      pins.push({ kind: 'you', text: `You: ${you.label}`, point: worldPoint(you.lat, you.lon) })
    }
    return pins
  }, [columns, selectedId, you])
}
