import { type NodeColumns, textAt } from '../nodes/node-columns.ts'
import { statusWord } from '../nodes/status-word.ts'

/** One node in words, for the few that are written out. */
export interface NodeSummary {
  readonly id: string
  readonly label: string
  readonly status: ReturnType<typeof statusWord>
  /** Empty where there is none. */
  readonly link: string
  readonly latDeg: number
  readonly lonDeg: number
}

/** How many characters of an id stand in for a label that is missing. */
const idCharacters = 8

export function summarizeNode(columns: NodeColumns, index: number): NodeSummary {
  const id = textAt(columns.ids, index)
  return {
    id,
    label: textAt(columns.labels, index) || id.slice(0, idCharacters),
    status: statusWord(columns.status[index]),
    link: textAt(columns.links, index),
    latDeg: columns.latDeg[index] ?? 0,
    lonDeg: columns.lonDeg[index] ?? 0,
  }
}
