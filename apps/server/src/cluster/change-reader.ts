import type { ChangeTopic } from '../storage/schema.ts'
import { Topic } from '../topic.ts'
import {
  changesPageSize,
  type ClusterState,
  type ClusterStore,
  type Cursors,
} from './cluster-store.ts'
import type { Change, ChangeListener } from './cluster.ts'

interface ChangeReaderOptions {
  readonly writer: number
  /** How many write turns of this server have begun, and how many of the first ones have all ended. */
  readonly turns: () => { readonly begun: number; readonly ended: number }
  readonly store: Pick<ClusterStore, 'readChanges'>
  readonly cursors: Cursors
}

interface Reading {
  readonly finishedDoubts: number
  readonly withOwn: boolean
}

/** Reads and publishes changes by other servers. Own ones are read only if a write's outcome is unknown. */
export class ChangeReader {
  readonly #options: ChangeReaderOptions
  readonly #topics = new Map<ChangeTopic, Topic<[change: Change]>>()
  #cursors: Cursors
  /** The number of this server's own last change, and how many write turns had begun by then. */
  #ownEnd: { readonly number: number; readonly turns: number }
  /** Changes published while this server wrote, and how many write turns had begun by then. */
  #publishedAmidWrites: { readonly change: Change; readonly turns: number }[] = []
  /** Own changes of unknown outcome: how many began, the database has finished, and were looked up since. */
  #doubts = { begun: 0, finished: 0, resolved: 0 }

  constructor(options: ChangeReaderOptions) {
    this.#options = options
    this.#cursors = options.cursors
    this.#ownEnd = { number: options.cursors.get(options.writer) ?? 0, turns: 0 }
  }

  get cursors(): Cursors {
    return this.#cursors
  }

  subscribe(topic: ChangeTopic, listener: ChangeListener): void {
    const changes = this.#topics.get(topic) ?? new Topic<[change: Change]>()
    changes.subscribe(listener)
    this.#topics.set(topic, changes)
  }

  doubt(): void {
    this.#doubts.begun += 1
  }

  /** Call it before a write. Call the result after that write: the database has finished all earlier ones. */
  beforeWrite(): () => void {
    const { begun } = this.#doubts
    return () => {
      this.#doubts.finished = begun
    }
  }

  begin(): Reading {
    return { finishedDoubts: this.#doubts.finished, withOwn: this.#isInDoubt() }
  }

  isSetBack({ writers }: ClusterState): boolean {
    return writers.some(({ writer, number }) => number < (this.#cursors.get(writer) ?? 0))
  }

  /** @returns whether no change was missing. Changes are deleted after every live server has read them. */
  async read({ writers }: ClusterState, { finishedDoubts, withOwn }: Reading): Promise<boolean> {
    const { writer: self } = this.#options
    for (const { writer } of writers) {
      if (!this.#cursors.has(writer)) this.#cursors = new Map([...this.#cursors, [writer, 0]])
    }
    const isBehind = writers.some(
      ({ writer, number }) =>
        (writer !== self || withOwn) && number > (this.#cursors.get(writer) ?? 0),
    )
    if (isBehind && !(await this.#readPages(withOwn))) return false
    this.#doubts.resolved = finishedDoubts
    await this.#publishAgain()
    this.#setOwnEnd(writers.find(({ writer }) => writer === self)?.number ?? 0)
    return true
  }

  async #readPages(withOwn: boolean): Promise<boolean> {
    for (;;) {
      const from = withOwn
        ? this.#cursors
        : new Map([...this.#cursors].filter(([writer]) => writer !== this.#options.writer))
      const changes = await this.#options.store.readChanges(from)
      const after = cursorsAfter(from, changes)
      if (after === undefined) return false
      for (const change of changes.toSorted((a, b) => a.atMs - b.atMs)) await this.#publish(change)
      this.#cursors = new Map([...this.#cursors, ...after])
      if (changes.length < changesPageSize) return true
    }
  }

  async #publish(change: Change): Promise<void> {
    await this.#topics.get(change.topic)?.publishInTurn(change)
    if (change.topic === 'heartbeats' || change.topic === 'offline') return
    this.#publishedAmidWrites.push({ change, turns: this.#options.turns().begun })
  }

  /**
   * The answer to an own write may arrive after a later change by another server, which is then published
   * again.
   */
  async #publishAgain(): Promise<void> {
    const { ended } = this.#options.turns()
    const due = this.#publishedAmidWrites.filter(({ turns }) => turns <= ended)
    this.#publishedAmidWrites = this.#publishedAmidWrites.filter(({ turns }) => turns > ended)
    for (const { change } of due) await this.#topics.get(change.topic)?.publishInTurn(change)
  }

  #setOwnEnd(number: number): void {
    const { writer } = this.#options
    const { begun, ended } = this.#options.turns()
    if (this.#isInDoubt()) {
      this.#ownEnd = { number: this.#cursors.get(writer) ?? 0, turns: 0 }
      return
    }
    if (this.#ownEnd.turns > ended) return
    const known = Math.max(this.#ownEnd.number, this.#cursors.get(writer) ?? 0)
    this.#cursors = new Map([...this.#cursors, [writer, known]])
    this.#ownEnd = { number, turns: begun }
  }

  #isInDoubt(): boolean {
    return this.#doubts.resolved < this.#doubts.begun
  }
}

/** The cursors after these rows; undefined if rows in between are missing. */
function cursorsAfter(cursors: Cursors, rows: readonly Change[]): Cursors | undefined {
  const after = new Map(cursors)
  for (const { writer, number } of rows) {
    if (number !== (after.get(writer) ?? 0) + 1) return undefined
    after.set(writer, number)
  }
  return after
}
