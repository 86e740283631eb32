import { safeLink } from '@astropelago/contract/devices'
import { plural } from '@lingui/core/macro'
import { carriedIslands } from '../islands/carried-islands.ts'
import { findNode, neighbourAt, type NodeColumns, statusCodes, textAt } from './node-columns.ts'

type StatusWord = 'online' | 'offline' | 'unknown'

export function statusWord(code: number | undefined): StatusWord {
  if (code === statusCodes.online) return 'online'
  return code === statusCodes.offline ? 'offline' : 'unknown'
}

const idCharacters = 8

export function nodeName(columns: NodeColumns, index: number): string {
  return textAt(columns.labels, index) || textAt(columns.ids, index).slice(0, idCharacters)
}

/** One node as an object, for the few that are shown as text. */
export type NodeSummary = ReturnType<typeof summarizeNode>

export function summarizeNode(columns: NodeColumns, index: number) {
  const id = textAt(columns.ids, index)
  return {
    id,
    name: nodeName(columns, index),
    status: statusWord(columns.status[index]),
    /** Empty if there is none. */
    link: textAt(columns.links, index),
    latDeg: columns.latDeg[index] ?? 0,
    lonDeg: columns.lonDeg[index] ?? 0,
    /** The visitor's own private node. */
    isPrivate: columns.privates.includes(index),
    /** The id of the neighbour whose device it is; undefined for this installation's. */
    neighbour: neighbourAt(columns, index)?.id,
    /** The island that it carries, if any. */
    island: carriedIslands.at(id),
  }
}

export function summaryOf(columns: NodeColumns, id: string | undefined): NodeSummary | undefined {
  const index = id === undefined ? undefined : findNode(columns, id)
  return index === undefined ? undefined : summarizeNode(columns, index)
}

/** Where a node leads: to the island that it carries, else to its link; undefined if it has neither. */
export function nodeHref(columns: NodeColumns, index: number): string | undefined {
  const island = carriedIslands.at(textAt(columns.ids, index))
  return island?.href ?? safeLink(textAt(columns.links, index))
}

/** The title above several nodes at one place. */
export function devicesHere(own: number, neighbours: number): string {
  const ownText = plural(own, { one: '# device here', other: '# devices here' })
  if (neighbours === 0) return ownText
  return own === 0 ? ofNeighbours(neighbours) : `${ownText} · ${ofNeighbours(neighbours)}`
}

/** Devices of neighbours are never part of a count. This stands beside it. */
export function ofNeighbours(count: number): string {
  return plural(count, { one: '# device of neighbours', other: '# devices of neighbours' })
}
