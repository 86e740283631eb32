import { safeLink } from '@astropelago/contract/devices'
import type { IslandCard } from '@astropelago/contract/islands'
import { paths } from '../../../paths.ts'
import { carriedIslands } from '../islands/carried-islands.ts'
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
  /** That it carries, if any. */
  readonly island: IslandCard | undefined
}

export function summarizeNode(columns: NodeColumns, index: number): NodeSummary {
  const id = textAt(columns.ids, index)
  return {
    id,
    name: nodeName(columns, index),
    status: statusWord(columns.status[index]),
    link: textAt(columns.links, index),
    latDeg: columns.latDeg[index] ?? 0,
    lonDeg: columns.lonDeg[index] ?? 0,
    isPrivate: columns.privates.includes(index),
    island: carriedIslands.at(id),
  }
}

/** Where a node leads: to the island that it carries, else by its link; undefined for nowhere. */
export function nodeHref(columns: NodeColumns, index: number): string | undefined {
  const island = carriedIslands.at(textAt(columns.ids, index))
  return island === undefined ? safeLink(textAt(columns.links, index)) : paths.island(island.slug)
}
