import { type NodeColumns, statusCodes, textAt } from './node-columns.ts'

export type StatusWord = 'online' | 'offline' | 'unknown'

/** A status code as the screens say it: what is neither online nor offline is unknown. */
export function statusWord(code: number | undefined): StatusWord {
  if (code === statusCodes.online) return 'online'
  return code === statusCodes.offline ? 'offline' : 'unknown'
}

/** How many characters of an id stand in for a label that is missing. */
const idCharacters = 8

/** What a node is called: its label, or where it has none the start of its id. */
export function nodeName(columns: NodeColumns, index: number): string {
  return textAt(columns.labels, index) || textAt(columns.ids, index).slice(0, idCharacters)
}

/** One node in words, for the few that are written out. */
export interface NodeSummary {
  readonly id: string
  readonly name: string
  readonly status: StatusWord
  /** Empty where there is none. */
  readonly link: string
  readonly latDeg: number
  readonly lonDeg: number
  /** Whether its owner, who is looking, alone sees it. */
  readonly isPrivate: boolean
}

export function summarizeNode(columns: NodeColumns, index: number): NodeSummary {
  return {
    id: textAt(columns.ids, index),
    name: nodeName(columns, index),
    status: statusWord(columns.status[index]),
    link: textAt(columns.links, index),
    latDeg: columns.latDeg[index] ?? 0,
    lonDeg: columns.lonDeg[index] ?? 0,
    isPrivate: columns.privates.includes(index),
  }
}
