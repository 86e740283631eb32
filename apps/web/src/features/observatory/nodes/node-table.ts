import { type PublicDevice, safeLink } from '@astropelago/contract/devices'
import { type FeedPosition, isUpTo, readListEtag } from '@astropelago/contract/feed'
import { latMaxDeg, lonMaxDeg } from '@astropelago/contract/limits'
import * as v from 'valibot'
import { type NodeColumns, type NodeRecord, packColumns, statusCodes } from './node-columns.ts'

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
    if (listed.size + this.#privateIds.size === this.#nodes.length) return
    const absent = this.#nodes.filter(({ id }) => !listed.has(id) && !this.#privateIds.has(id))
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

/** The public list as received, its rows not validated yet. */
export interface ListedRows {
  readonly rows: readonly unknown[]
  readonly etag: string | null
}

/** The nodes and the feed position that they have reached. Older data does not undo newer data. */
export class NodeList {
  readonly table = new NodeTable()
  #position: FeedPosition | undefined

  /** Undefined before the first list, or if the server has no feed. */
  get position(): FeedPosition | undefined {
    return this.#position
  }

  /** The list's position may be before changes that the feed has already brought. */
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
