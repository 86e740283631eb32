import type { Kysely, Transaction } from 'kysely'
import { Topic } from '../topic.ts'
import type { ChangeTopic, Schema } from './schema.ts'

/** Rows that memory may hold a copy of, and that a transaction changed or deleted. */
export interface RecordedChange {
  readonly topic: ChangeTopic
  readonly keys: readonly number[]
  /** What subscribers or the next leader can't read any more, such as who was a member. */
  readonly details?: unknown
}

/** Part of a transaction: what it records is published once the transaction is over. */
export type RecordChange = (topic: ChangeTopic, keys: readonly number[], details?: unknown) => void

export interface Recording {
  readonly transaction: Transaction<Schema>
  readonly record: RecordChange
}

type AppendChanges = (
  transaction: Transaction<Schema>,
  changes: readonly RecordedChange[],
) => Promise<void>

export type ChangeSubscriber = (
  change: Pick<RecordedChange, 'keys' | 'details'>,
) => Promise<void> | void

/** Subscribers drop or read again what a change names, so receiving one twice does no harm. */
export class ChangeLog {
  readonly #db: Kysely<Schema>
  readonly #append: AppendChanges
  readonly #topics = new Map<ChangeTopic, Topic<[change: RecordedChange]>>()

  /** @param append stores changes for other servers, in the transaction that makes them */
  constructor(db: Kysely<Schema>, append: AppendChanges = async () => undefined) {
    this.#db = db
    this.#append = append
  }

  subscribe(topic: ChangeTopic, subscriber: ChangeSubscriber): void {
    const subscribers = this.#topics.get(topic) ?? new Topic<[change: RecordedChange]>()
    subscribers.subscribe(subscriber)
    this.#topics.set(topic, subscribers)
  }

  /** Resolves once all subscribers know. @throws what the work throws, or a subscriber after the commit */
  async write<Result>(
    work: (transaction: Transaction<Schema>, record: RecordChange) => Promise<Result>,
  ): Promise<Result> {
    const changes: RecordedChange[] = []
    try {
      return await this.#db.transaction().execute(async (transaction) => {
        const result = await work(transaction, (topic, keys, details) => {
          if (keys.length > 0) changes.push({ topic, keys, details })
        })
        if (changes.length > 0) await this.#append(transaction, changes)
        return result
      })
    } finally {
      // Also if it failed: a commit whose answer was lost may have succeeded.
      await this.#publish(changes)
    }
  }

  /** @throws what the first failing subscriber throws, once all changes are published */
  async #publish(changes: readonly RecordedChange[]): Promise<void> {
    const failures: unknown[] = []
    for (const change of changes) {
      try {
        await this.#topics.get(change.topic)?.publishInTurn(change)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }
}
