import type { CustomLayerInterface } from 'maplibre-gl'
import type { NodeStore } from '../nodes/node-store.ts'
import type { MapCamera, MapSize } from './map-camera.ts'
import { mapNodeLook } from './map-node-look.ts'
import { createNodeDrawing, type NodeDrawing } from './node-drawing.ts'
import { worldPositions } from './world-positions.ts'

export const nodeLayerId = 'nodes'

/** MapLibre's layer for the nodes, drawn straight from the store's columns. */
export function nodeLayer(
  store: NodeStore,
  view: { readonly camera: MapCamera; readonly size: MapSize },
): CustomLayerInterface {
  let drawing: NodeDrawing | undefined
  let unsubscribe: (() => void) | undefined
  let isReplaced = true
  let changes: Uint32Array[] = []

  return {
    id: nodeLayerId,
    type: 'custom',
    onAdd(map, gl) {
      drawing = createNodeDrawing(gl)
      isReplaced = true
      unsubscribe = store.subscribe((change) => {
        // Uploaded with the next frame: between frames the context is MapLibre's.
        if (change.kind === 'replaced') isReplaced = true
        else changes.push(change.indexes)
        map.triggerRepaint()
      })
    },
    render() {
      if (drawing === undefined) return
      const { columns } = store
      if (isReplaced) drawing.setNodes(worldPositions(columns), columns.status)
      else if (changes.length > 0) drawing.setStatuses(columns.status, changes)
      isReplaced = false
      changes = []
      drawing.draw(view.camera, view.size, mapNodeLook(columns.count, view.camera.zoom))
    },
    onRemove() {
      unsubscribe?.()
      drawing?.dispose()
      drawing = undefined
    },
  }
}
