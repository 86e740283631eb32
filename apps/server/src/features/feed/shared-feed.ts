import type { PostgresCluster } from '../../cluster/postgres-cluster.ts'
import { KeyedQueue } from '../../keyed-queue.ts'
import { publicKinds, type PublicKind, type PublicMessage } from '../../public-messages.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import type { SentMessage } from './feed-log.ts'
import type { FeedStore, NewMessages, StoredMessage, Withdrawn } from './feed-store.ts'
import { Feed } from './feed.ts'

/** With more messages than this at once, as after a server was cut off, `reload` is sent instead. */
const messagesMax = 20_000
const startMessages = 5000
const retryMs = 250
/** Pause after the database refused, which takes an operator to fix. */
const refusedRetryMs = 5000

type MessageType = Exclude<StoredMessage['type'], 'reload'>

const kindByType = new Map(
  publicKinds.flatMap((kind) =>
    (['', '-removed', '-withdrawn'] as const).map((end) => [`${kind}${end}`, kind] as const),
  ),
)

function kindOf(type: MessageType): PublicKind {
  return kindByType.get(type) ?? 'device'
}

type KeysByKind = Readonly<Record<PublicKind, Set<number>>>

function keysOf(subjects: readonly Withdrawn[]): KeysByKind {
  const keys: KeysByKind = {
    device: new Set(),
    island: new Set(),
    neighbour: new Set(),
    'neighbour-device': new Set(),
    'neighbour-island': new Set(),
  }
  for (const { kind, key } of subjects) keys[kind].add(key)
  return keys
}

function subjectsOf(keys: KeysByKind): Withdrawn[] {
  return publicKinds.flatMap((kind) => Array.from(keys[kind], (key) => ({ kind, key })))
}

function isWithdrawal(type: MessageType): type is `${PublicKind}-withdrawn` {
  return type.endsWith('-withdrawn')
}

interface Waiting extends Pick<NewMessages, 'withdrawn' | 'cursors'> {
  readonly messages: readonly PublicMessage[]
}

interface SharedFeedParts {
  readonly store: FeedStore
  readonly cluster: PostgresCluster
  readonly onError: (error: unknown) => void
}

/** The leader gives messages their places in the database, and every server sends what it reads there. */
export class SharedFeed {
  readonly feed: Feed
  readonly #store: FeedStore
  readonly #cluster: PostgresCluster
  #waiting: Waiting[] = []
  #withdrawn = keysOf([])
  #mustReload = false
  readonly #writes: KeyedQueue<'messages'>

  private constructor({ store, cluster, onError }: SharedFeedParts, feed: Feed) {
    this.#store = store
    this.#cluster = cluster
    this.feed = feed
    this.#writes = new KeyedQueue({
      run: () => this.#write(),
      retryAfterMs: (error) => (error instanceof StorageUnavailable ? retryMs : refusedRetryMs),
      onFailure: (error) => {
        if (!(error instanceof StorageUnavailable)) onError(error)
      },
    })
  }

  static async open(parts: SharedFeedParts): Promise<SharedFeed> {
    const { epoch, number } = await parts.store.position()
    const feed = new Feed(epoch, Math.max(0, number - startMessages))
    const shared = new SharedFeed(parts, feed)
    const send = await shared.read(number)
    send()
    return shared
  }

  get sequence(): string {
    return this.feed.sequence
  }

  /** Resolves when everything that was sent has its place, or can't have it now. */
  async settled(): Promise<void> {
    await this.#writes.settled()
  }

  isSettled(): boolean {
    return this.#writes.isIdle
  }

  /** Only the leader sends. Other servers receive the same changes from it. */
  send(messages: readonly PublicMessage[]): void {
    if (!this.#cluster.leads()) return
    this.#waiting.push({
      messages: messages.map((one) => ({ ...one, payload: Buffer.from(one.payload) })),
      withdrawn: subjectsOf(this.#withdrawn),
      cursors: this.#cluster.cursors,
    })
    this.#withdrawn = keysOf([])
    void this.#writes.add('messages')
  }

  withdraw(kind: PublicKind, key: number): void {
    this.feed.withdraw(kind, key)
    if (this.#cluster.leads()) this.#withdrawn[kind].add(key)
  }

  reloadAll(): void {
    if (!this.#cluster.leads()) return
    this.#mustReload = true
    void this.#writes.add('messages')
  }

  /** For the cluster's readings. The returned function sends what was read. */
  async read(upTo: number): Promise<() => void> {
    const { lastNumber } = this.feed
    if (upTo <= lastNumber) return () => undefined
    if (upTo - lastNumber > messagesMax) return () => this.feed.reloadAll(upTo)
    const rows = await this.#store.read(lastNumber, upTo)
    return () => this.#send(rows, upTo)
  }

  sendAway(): void {
    this.feed.sendAway()
  }

  /** Resolves when this server has reached a sequence of another one, which is in the database by then. */
  async reach(sequence: string): Promise<void> {
    if (this.feed.isAhead(sequence)) await this.#cluster.read().catch(() => undefined)
  }

  /** Records for the next leader that every change known here was sent. */
  async recordSent(): Promise<void> {
    const { cursors } = this.#cluster
    const term = this.#cluster.term()
    if (term === undefined || !this.#writes.isIdle) return
    await this.#store.append({ term, messages: [], withdrawn: [], cursors })
  }

  #send(read: readonly StoredMessage[], upTo: number): void {
    const rows = read.filter(({ number }) => number > this.feed.lastNumber)
    const last = rows.findLastIndex(({ type }) => type === 'reload')
    if (last !== -1) this.feed.reloadAll(rows[last]?.number)
    const messages: SentMessage[] = []
    const withdrawn = keysOf([])
    for (const { type, number, key, payload } of rows.slice(last + 1).toReversed()) {
      if (type === 'reload') continue
      const kind = kindOf(type)
      if (type !== kind) withdrawn[kind].add(key)
      else if (withdrawn[kind].has(key)) continue
      if (isWithdrawal(type)) continue
      messages.push({ type, number, key, payload: Buffer.from(payload) })
    }
    for (const { kind, key } of subjectsOf(withdrawn)) this.feed.withdraw(kind, key)
    this.feed.send(messages.toReversed(), upTo)
  }

  async #write(): Promise<void> {
    const waiting = this.#waiting.splice(0)
    const mustReload = this.#mustReload
    this.#mustReload = false
    if (!this.#cluster.leads() || (waiting.length === 0 && !mustReload)) return
    try {
      await this.#append(waiting, mustReload)
    } catch (error) {
      // The database may take later what it refuses now, or the next leader sends it.
      this.#waiting.unshift(...waiting)
      const count = this.#waiting.reduce((sum, { messages }) => sum + messages.length, 0)
      this.#mustReload ||= mustReload || count > messagesMax
      if (this.#mustReload) this.#waiting = this.#waiting.slice(-1)
      throw error
    }
    // Messages that can't be read now are read later, and not written again.
    await this.#cluster.read().catch(() => undefined)
  }

  async #append(waiting: readonly Waiting[], mustReload: boolean): Promise<void> {
    const term = this.#cluster.term()
    if (term === undefined) return
    const withdrawn = subjectsOf(keysOf(waiting.flatMap((each) => each.withdrawn)))
    const cursors = waiting.at(-1)?.cursors ?? this.#cluster.cursors
    const messages = mustReload
      ? [{ type: 'reload', key: 0, payload: '' } as const]
      : this.#messagesOf(waiting, withdrawn)
    await this.#store.append({ term, messages, withdrawn, cursors })
  }

  #messagesOf(waiting: readonly Waiting[], withdrawn: readonly Withdrawn[]) {
    // Messages that were withdrawn while they waited are not sent any more.
    const withdrawnSince = keysOf(subjectsOf(this.#withdrawn))
    const messages: { type: PublicMessage['type']; key: number; payload: string }[] = []
    // A removal withdraws by itself.
    const removed = keysOf([])
    for (const each of waiting.toReversed()) {
      for (const { type, key, payload } of each.messages.toReversed()) {
        const kind = kindOf(type)
        if (type !== kind) removed[kind].add(key)
        else if (withdrawnSince[kind].has(key)) continue
        messages.push({ type, key, payload: Buffer.from(payload).toString() })
      }
      for (const { kind, key } of each.withdrawn) withdrawnSince[kind].add(key)
    }
    const withdrawals = withdrawn
      .filter(({ kind, key }) => !removed[kind].has(key))
      .map(({ kind, key }) => ({ type: `${kind}-withdrawn`, key, payload: '' }) as const)
    return [...withdrawals, ...messages.toReversed()]
  }
}
