import { type PublicDevice, safeLink } from '@astropelago/contract/devices'
import { type FeedPosition, isUpTo, readListEtag } from '@astropelago/contract/feed'
import { latMaxDeg, lonMaxDeg } from '@astropelago/contract/limits'
import * as v from 'valibot'
import { type NodeColumns, type NodeRecord, packColumns, statusCodes } from './node-columns.ts'

/** What happened to the nodes since the last update, for a person to be told. */
export interface ChangeTally {
  readonly cameOnline: number
  readonly wentOffline: number
  readonly added: number
  readonly removed: number
}

/** What the pictures have to be told: all columns anew, or the statuses that are different now. */
export type NodeUpdate =
  | { readonly kind: 'columns'; readonly columns: NodeColumns; readonly tally: ChangeTally }
  | {
      readonly kind: 'statuses'
      readonly indexes: Uint32Array
      readonly statuses: Uint8Array
      readonly tally: ChangeTally
    }

const noChanges = { cameOnline: 0, wentOffline: 0, added: 0, removed: 0 }

/**
 * The nodes by id, and what of them the pictures have not heard of yet. The server lists whoever was
 * seen last first, so that every heartbeat reorders its list: a node keeps its index here, and a new
 * order is no change.
 */
export class NodeTable {
  #nodes: NodeRecord[] = []
  readonly #indexById = new Map<string, number>()
  /** Who of them is the visitor's own and private: no public list says that it is gone. */
  readonly #privateIds = new Set<string>()
  /** The ids of those that carry an island, be they listed or not. */
  #carriers: ReadonlySet<string> = new Set()
  readonly #changedStatuses = new Set<number>()
  #isReshaped = true
  #tally = { ...noChanges }

  get nodes(): readonly NodeRecord[] {
    return this.#nodes
  }

  /** Takes over a whole list: what is not in it goes. Rows that can't be drawn count as absent. */
  setAll(rows: readonly unknown[]): void {
    const listed = new Set<string>()
    for (const row of rows) {
      const node = readNode(row)
      if (node === undefined) continue
      listed.add(node.id)
      this.#put(node)
    }
    if (listed.size + this.#privateIds.size === this.#nodes.length) return
    const absent = this.#nodes.filter(({ id }) => !listed.has(id) && !this.#privateIds.has(id))
    for (const { id } of absent) this.#remove(id)
  }

  /** Takes over single changes, as the live feed tells them. */
  apply(changed: readonly PublicDevice[], removedIds: readonly string[]): void {
    for (const device of changed) {
      const node = nodeOf(device)
      if (node === undefined) this.#remove(device.id)
      else this.#put(node)
    }
    for (const id of removedIds) if (!this.#privateIds.has(id)) this.#remove(id)
  }

  /** Takes over the visitor's private devices, all of them: beside the public ones, and no news. */
  setPrivate(devices: readonly PublicDevice[]): void {
    const tally = { ...this.#tally }
    const gone = new Set(this.#privateIds)
    for (const device of devices) {
      const node = nodeOf(device)
      if (node === undefined) continue
      gone.delete(node.id)
      this.#put({ ...node, isPrivate: true })
    }
    for (const id of gone) this.#remove(id)
    this.#tally = tally
  }

  /** Takes over which devices carry islands, all of them: that is no news of devices. */
  setCarriers(ids: readonly string[]): void {
    const carriers = new Set(ids)
    if (carriers.symmetricDifference(this.#carriers).size === 0) return
    this.#carriers = carriers
    this.#isReshaped = true
  }

  /** What has changed since the last call; undefined where nothing has. */
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
    // What was told last holds: a device may have become public, or private, in another tab.
    if (node.isPrivate === true) this.#privateIds.add(node.id)
    else this.#privateIds.delete(node.id)
    const index = this.#indexById.get(node.id)
    const known = index === undefined ? undefined : this.#nodes[index]
    if (index === undefined || known === undefined) {
      this.#indexById.set(node.id, this.#nodes.length)
      this.#nodes.push(node)
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
    a.isPrivate === b.isPrivate
  )
}

/** The public list as it came, its rows unjudged. */
export interface ListedRows {
  readonly rows: readonly unknown[]
  /** Tells from which position in the feed's order the list is. */
  readonly etag: string | null
}

/** The nodes, and how far the feed's order is told in them: what is older does not undo what is newer. */
export class NodeList {
  readonly table = new NodeTable()
  #position: FeedPosition | undefined

  /** Undefined while there is no list, or one of a server without a feed. */
  get position(): FeedPosition | undefined {
    return this.#position
  }

  /** A list as the server had it at its ETag, which may be before changes that the feed has told. */
  load({ rows, etag }: ListedRows): void {
    const position = readListEtag(etag)
    if (this.#hasAll(position)) return
    this.table.setAll(rows)
    this.#position = position
  }

  apply(
    changed: readonly PublicDevice[],
    removedIds: readonly string[],
    position: FeedPosition,
  ): void {
    if (this.#hasAll(position)) return
    this.table.apply(changed, removedIds)
    this.#position = position
  }

  #hasAll(position: FeedPosition | undefined): boolean {
    return (
      this.#position !== undefined && position !== undefined && isUpTo(this.#position, position)
    )
  }
}

/** Only what a node can't be drawn without is insisted on; the contract's schema would refuse more. */
const Row = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  label: v.fallback(v.string(), ''),
  lat: v.number(),
  lon: v.number(),
  status: v.fallback(v.picklist(['online', 'offline', 'unknown']), 'unknown'),
  link: v.fallback(v.nullable(v.string()), null),
})

/** Reads a row of the list. Undefined for what can't be drawn. */
export function readNode(row: unknown): NodeRecord | undefined {
  const parsed = v.safeParse(Row, row)
  return parsed.success ? nodeOf(parsed.output) : undefined
}

/** Undefined for a device whose place is not finite or not on Earth: it can't be drawn. */
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
