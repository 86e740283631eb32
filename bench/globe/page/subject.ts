import type { NodeColumns } from '../../../apps/web/src/features/observatory/nodes/node-columns.ts'

/** What is measured: it draws these nodes on a canvas of its own. */
export interface Subject {
  readonly canvas: HTMLCanvasElement
  /** Whether a frame drawn now shows all that it ever will. */
  readonly isComplete: () => boolean
  turnTo(yawDeg: number): void
  setStatuses(indexes: Uint32Array, statuses: Uint8Array): void
  pick(xPx: number, yPx: number): void
  dispose(): void
}

export type CreateSubject = (canvas: HTMLCanvasElement, columns: NodeColumns) => Subject
