import type { NodeColumns } from '../../../apps/web/src/features/observatory/nodes/node-columns.ts'

/** What is measured. It draws the nodes on its own canvas. */
export interface Subject {
  readonly canvas: HTMLCanvasElement
  /** Whether a frame now would be complete. */
  readonly isComplete: () => boolean
  turnTo(yawDeg: number): void
  setStatuses(indexes: Uint32Array, statuses: Uint8Array): void
  pick(xPx: number, yPx: number): void
  dispose(): void
}

export type CreateSubject = (canvas: HTMLCanvasElement, columns: NodeColumns) => Subject
