import { createGlobe } from '../../../apps/web/src/features/observatory/globe/globe.ts'
import type { NodeColumns } from '../../../apps/web/src/features/observatory/nodes/node-columns.ts'
import { createNodeStore } from '../../../apps/web/src/features/observatory/nodes/node-store.ts'
import { glCounts } from './gl-counts.ts'
import type { Subject } from './subject.ts'

/** The product's own globe. */
export function globeSubject(canvas: HTMLCanvasElement, columns: NodeColumns): Subject {
  const store = createNodeStore()
  store.replace(columns)
  const texturesBefore = glCounts.textures
  const globe = createGlobe(canvas, store)
  if (globe?.drawnBy !== 'webgl2') throw new Error('The globe is not drawn by WebGL')
  return {
    canvas,
    isComplete: () => glCounts.textures > texturesBefore,
    turnTo: (yawDeg) => globe.setCamera({ ...globe.camera, yawDeg }, 'at-once'),
    setStatuses: (indexes, statuses) => store.setStatuses(indexes, statuses),
    pick: (xPx, yPx) => globe.pick({ xPx, yPx }, 10),
    dispose: () => globe.dispose(),
  }
}
