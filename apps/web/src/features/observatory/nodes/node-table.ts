import { type PublicDevice, safeLink } from '@astropelago/contract/devices'
import { type FeedPosition, isUpTo, readListEtag } from '@astropelago/contract/feed'
import { latMaxDeg, lonMaxDeg } from '@astropelago/contract/limits'
import type { NeighbourDevice } from '@astropelago/contract/neighbours'
import * as v from 'valibot'
import { paths } from '../../../paths.ts'
import {
  type NodeColumns,
  type NodeNeighbour,
  type NodeRecord,
  packColumns,
  statusCodes,
} from './node-columns.ts'

const noChanges = { cameOnline: 0, wentOffline: 0, added: 0, removed: 0 }

/** Changes to the nodes since the last update, as reported to the visitor. */
export type ChangeTally = Readonly<typeof noChanges>

/** What to send to the main thread: all columns, or only the statuses that changed. */
export type NodeUpdate =
  | { readonly kind: 'columns'; readonly columns: NodeColumns; readonly tally: ChangeTally }
  | {
      readonly kind: 'statuses'
      readonly indexes: Uint32Array
      readonly statuses: Uint8Array
      readonly tally: ChangeTally
    }

/** Each heartbeat reorders the server's list. Here a node keeps its index. */
export class NodeTable {
  #nodes: NodeRecord[] = []
  readonly #indexById = new Map<string, number>()
  /** The visitor's own private devices. The public list can't say that these are gone. */
  readonly #privateIds = new Set<string>()
  /** Whose devices are shown besides those of this installation, by id. */
  #neighbours: ReadonlyMap<string, NodeNeighbour> = new Map()
  #neighboursNodes = 0
  /** The ids of all devices that carry an island, whether they are listed or not. */
  #carriers: ReadonlySet<string> = new Set()
  readonly #changedStatuses = new Set<number>()
  #isReshaped = true
  #tally = { ...noChanges }

  get nodes(): readonly NodeRecord[] {
    return this.#nodes
  }

  /** Applies a whole list: nodes not in it are removed, and rows that can't be drawn count as absent. */
  setAll(rows: readonly unknown[]): void {
    const listed = new Set<string>()
    for (const row of rows) {
      const node = readNode(row)
      if (node === undefined) continue
      listed.add(node.id)
      this.#put(node)
    }
    if (listed.size + this.#privateIds.size + this.#neighboursNodes === this.#nodes.length) return
    const absent = this.#nodes.filter(
      ({ id, neighbour }) =>
        neighbour === undefined && !listed.has(id) && !this.#privateIds.has(id),
    )
    for (const { id } of absent) this.#remove(id)
  }

  apply(changed: readonly PublicDevice[], removedIds: readonly string[]): void {
    for (const device of changed) {
      const node = nodeOf(device)
      if (node === undefined) this.#remove(device.id)
      else this.#put(node)
    }
    for (const id of removedIds) if (!this.#privateIds.has(id)) this.#remove(id)
  }

  /** Replaces all of the visitor's private devices. These do not count as changes in the tally. */
  setPrivate(devices: readonly PublicDevice[]): void {
    this.#withoutTally(() => {
      const gone = new Set(this.#privateIds)
      for (const device of devices) {
        const node = nodeOf(device)
        if (node === undefined) continue
        gone.delete(node.id)
        this.#put({ ...node, isPrivate: true })
      }
      for (const id of gone) this.#remove(id)
    })
  }

  /** Nodes of all others are removed. */
  setNeighbours(neighbours: readonly NodeNeighbour[]): void {
    this.#neighbours = new Map(neighbours.map((neighbour) => [neighbour.id, neighbour]))
    this.#isReshaped = true
    for (const [index, node] of this.#nodes.entries()) {
      const now = node.neighbour && this.#neighbours.get(node.neighbour.id)
      if (now !== undefined) this.#nodes[index] = { ...node, neighbour: now }
    }
    this.#removeNeighbours(({ id }) => !this.#neighbours.has(id))
  }

  /** Applies the whole list of neighbours' devices. These do not count as changes in the tally. */
  setAllOfNeighbours(rows: readonly unknown[]): void {
    const listed = new Set<string>()
    this.#withoutTally(() => {
      for (const row of rows) {
        const node = this.#ofNeighbour(readNode(row))
        if (node === undefined) continue
        listed.add(node.id)
        this.#put(node)
      }
    })
    if (listed.size < this.#neighboursNodes) this.#removeNeighbours((_, id) => !listed.has(id))
  }

  applyOfNeighbours(
    changed: readonly NeighbourDevice[],
    removedIds: readonly string[],
    removedNeighbours: readonly string[],
  ): void {
    this.#withoutTally(() => {
      for (const device of changed) {
        const node = this.#ofNeighbour(nodeOf({ ...device, link: null }))
        if (node === undefined) this.#remove(device.id)
        else this.#put(node)
      }
      for (const id of removedIds) this.#remove(id)
    })
    if (removedNeighbours.length > 0) {
      this.#removeNeighbours(({ id }) => removedNeighbours.includes(id))
    }
  }

  /** With its neighbour and a link to its page there; undefined if its neighbour is not shown. */
  #ofNeighbour(node: NodeRecord | undefined): NodeRecord | undefined {
    if (node === undefined) return undefined
    const [, whose = '', id = ''] = /^([^:]+):(.*)$/s.exec(node.id) ?? []
    const neighbour = this.#neighbours.get(whose)
    if (neighbour === undefined) return undefined
    return {
      ...node,
      neighbour,
      link: safeLink(paths.neighbourDevice(neighbour.address, id)) ?? '',
    }
  }

  #removeNeighbours(isGone: (neighbour: NodeNeighbour, id: string) => boolean): void {
    const gone = this.#nodes.filter(
      ({ id, neighbour }) => neighbour !== undefined && isGone(neighbour, id),
    )
    this.#withoutTally(() => {
      for (const { id } of gone) this.#remove(id)
    })
  }

  #withoutTally(change: () => void): void {
    const tally = { ...this.#tally }
    change()
    this.#tally = tally
  }

  /** Replaces the set of devices that carry islands. This does not count in the tally. */
  setCarriers(ids: readonly string[]): void {
    const carriers = new Set(ids)
    if (carriers.symmetricDifference(this.#carriers).size === 0) return
    this.#carriers = carriers
    this.#isReshaped = true
  }

  /** The changes since the last call; undefined if there are none. */
  takeUpdate(): NodeUpdate | undefined {
    const tally = this.#tally
    const update = this.#pendingUpdate(tally)
    this.#isReshaped = false
    this.#changedStatuses.clear()
    this.#tally = { ...noChanges }
    return update
  }

  #pendingUpdate(tally: ChangeTally): NodeUpdate | undefined {
    if (this.#isReshaped) {
      return { kind: 'columns', columns: packColumns(this.#nodes, this.#carriers), tally }
    }
    if (this.#changedStatuses.size === 0) return undefined
    const indexes = Uint32Array.from(this.#changedStatuses)
    const statuses = Uint8Array.from(indexes, (index) => this.#nodes[index]?.status ?? 0)
    return { kind: 'statuses', indexes, statuses, tally }
  }

  #put(node: NodeRecord): void {
    // The latest source wins: another tab may have made a device public or private.
    if (node.isPrivate === true) this.#privateIds.add(node.id)
    else this.#privateIds.delete(node.id)
    const index = this.#indexById.get(node.id)
    const known = index === undefined ? undefined : this.#nodes[index]
    if (index === undefined || known === undefined) {
      this.#indexById.set(node.id, this.#nodes.length)
      this.#nodes.push(node)
      if (node.neighbour !== undefined) this.#neighboursNodes += 1
      this.#isReshaped = true
      this.#tally.added += 1
      return
    }
    this.#nodes[index] = node
    if (!isSameBesideStatus(known, node)) this.#isReshaped = true
    if (known.status === node.status) return
    this.#changedStatuses.add(index)
    if (node.status === statusCodes.online) this.#tally.cameOnline += 1
    if (node.status === statusCodes.offline) this.#tally.wentOffline += 1
  }

  #remove(id: string): void {
    const index = this.#indexById.get(id)
    if (index === undefined) return
    this.#indexById.delete(id)
    this.#privateIds.delete(id)
    if (this.#nodes[index]?.neighbour !== undefined) this.#neighboursNodes -= 1
    // The last node moves into the gap, so that no other index changes.
    const last = this.#nodes.pop()
    if (last !== undefined && last.id !== id) {
      this.#nodes[index] = last
      this.#indexById.set(last.id, index)
    }
    this.#isReshaped = true
    this.#tally.removed += 1
  }
}

function isSameBesideStatus(a: NodeRecord, b: NodeRecord): boolean {
  return (
    a.latDeg === b.latDeg &&
    a.lonDeg === b.lonDeg &&
    a.label === b.label &&
    a.link === b.link &&
    a.isPrivate === b.isPrivate &&
    a.neighbour === b.neighbour
  )
}

/** The public list as received, its rows not validated yet. */
export interface ListedRows {
  readonly rows: readonly unknown[]
  readonly etag: string | null
}

/** The nodes and the feed position that they have reached. Older data does not undo newer data. */
export class NodeList {
  readonly table = new NodeTable()
  #position: FeedPosition | undefined
  #neighbours: ReadonlySet<string> = new Set()
  /** Of neighbours' devices, which are another list. */
  #neighboursPosition: FeedPosition | undefined
  /** Where a neighbour changed as a whole. Undefined once its list has arrived. */
  #neighboursDue: FeedPosition | undefined

  /** Undefined before the first list, or if the server has no feed. */
  get position(): FeedPosition | undefined {
    return this.#position
  }

  /** The list's position may be before changes that the feed has already brought. */
  load({ rows, etag }: ListedRows): void {
    const position = readListEtag(etag)
    if (isWithin(position, this.#position)) return
    this.table.setAll(rows)
    this.#position = position
  }

  apply(
    changed: readonly PublicDevice[],
    removedIds: readonly string[],
    position: FeedPosition,
  ): void {
    if (isWithin(position, this.#position)) return
    this.table.apply(changed, removedIds)
    this.#position = position
  }

  /** Shows the devices of these neighbours only. Returns true if their list has to be loaded. */
  showNeighbours(neighbours: readonly NodeNeighbour[]): boolean {
    const isMore = neighbours.some(({ id }) => !this.#neighbours.has(id))
    this.#neighbours = new Set(neighbours.map(({ id }) => id))
    this.table.setNeighbours(neighbours)
    // What was left out of the last list may come with the same position.
    if (isMore || neighbours.length === 0) this.#neighboursPosition = undefined
    if (neighbours.length === 0) this.#neighboursDue = undefined
    return isMore
  }

  /** Undefined before the first list of neighbours' devices. */
  get neighboursPosition(): FeedPosition | undefined {
    return this.#neighboursPosition
  }

  /** Whether a neighbour has changed since the last list, which came from a server that lagged behind. */
  get isNeighboursListDue(): boolean {
    return this.#neighboursDue !== undefined
  }

  loadOfNeighbours({ rows, position }: NeighbourRows): void {
    const [reached, due] = [this.#neighboursPosition, this.#neighboursDue]
    // The feed says that a neighbour has changed, and only a list at the same position says how.
    const isAwaited = due !== undefined && isWithin(reached, position)
    if (isWithin(position, reached) && !isAwaited) return
    this.table.setAllOfNeighbours(rows)
    this.#neighboursPosition = position
    if (due?.epoch !== position?.epoch || isWithin(due, position)) this.#neighboursDue = undefined
  }

  applyOfNeighbours(changes: NeighbourNodeChanges): void {
    const { changed, removedIds, removedNeighbours, hasChangedNeighbours, position } = changes
    if (isWithin(position, this.#neighboursPosition)) return
    if (hasChangedNeighbours) this.#neighboursDue = position
    this.table.applyOfNeighbours(changed, removedIds, removedNeighbours)
    this.#neighboursPosition = position
  }
}

/** The list of neighbours' devices as received, its rows not validated yet. */
export interface NeighbourRows {
  readonly rows: readonly unknown[]
  readonly position: FeedPosition | undefined
}

export interface NeighbourNodeChanges {
  readonly changed: readonly NeighbourDevice[]
  readonly removedIds: readonly string[]
  /** Neighbours whose devices are all gone, by id. */
  readonly removedNeighbours: readonly string[]
  /** Whether the devices of a neighbour may be other ones. */
  readonly hasChangedNeighbours: boolean
  readonly position: FeedPosition
}

/** Whether a list that has reached the second position has all up to the first one. */
function isWithin(position: FeedPosition | undefined, reached: FeedPosition | undefined): boolean {
  return reached !== undefined && position !== undefined && isUpTo(reached, position)
}

/** Only requires what a node needs to be drawn. The contract's schema would refuse more. */
const Row = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  label: v.fallback(v.string(), ''),
  lat: v.number(),
  lon: v.number(),
  status: v.fallback(v.picklist(['online', 'offline', 'unknown']), 'unknown'),
  link: v.fallback(v.nullable(v.string()), null),
})

export function readNode(row: unknown): NodeRecord | undefined {
  const parsed = v.safeParse(Row, row)
  return parsed.success ? nodeOf(parsed.output) : undefined
}

/** Undefined for a device that can't be drawn because its place is not finite or out of range. */
function nodeOf(device: PublicDevice): NodeRecord | undefined {
  const { id, label, lat, lon, status, link } = device
  if (!(Math.abs(lat) <= latMaxDeg && Math.abs(lon) <= lonMaxDeg)) return undefined
  return {
    id,
    label,
    latDeg: lat,
    lonDeg: lon,
    status: status === 'unknown' ? statusCodes.other : statusCodes[status],
    link: (link !== null && safeLink(link)) || '',
  }
}
