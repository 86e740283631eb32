import type { IslandMessage } from '@astropelago/contract/streams'
import { KeyedQueue } from '../../keyed-queue.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { MessageStream } from './message-stream.ts'

export type IslandEvent = Parameters<Parameters<IslandsFeature['listen']>[0]>[0]

interface Reading {
  readonly stream: MessageStream<IslandMessage>
  readonly islandId: string
  readonly userKey: number | null
  /** Only those who may enter see what happens inside. */
  mayEnter: boolean
}

/** Checks islands one after the other. A check that fails concerns only its own island. */
export function islandChecks(
  check: (islandKey: number) => Promise<void>,
  onFailure: (islandKey: number, error: unknown) => void,
): KeyedQueue<number> {
  return new KeyedQueue({
    run: async (islandKeys) => {
      for (const key of islandKeys) {
        await check(key).catch((error: unknown) => onFailure(key, error))
      }
    },
  })
}

/** If rights may have changed, all readers of an island are checked at once. */
export class IslandStreams {
  readonly #islands: Pick<IslandsFeature, 'readRights'>
  readonly #readings = new Map<number, Set<Reading>>()
  readonly #checks: KeyedQueue<number>

  constructor(
    islands: Pick<IslandsFeature, 'listen' | 'readRights'>,
    onFailure: (error: unknown) => void,
  ) {
    this.#islands = islands
    this.#checks = islandChecks(
      (islandKey) => this.#check(islandKey),
      (islandKey, error) => {
        // What these readers may see is unknown now.
        for (const { stream } of this.#of(islandKey)) stream.destroy()
        onFailure(error)
      },
    )
    islands.listen((event) => this.#follow(event))
  }

  *streams(): Iterable<MessageStream<IslandMessage>> {
    for (const readings of this.#readings.values()) {
      for (const { stream } of readings) yield stream
    }
  }

  /** @returns what to call when the connection has closed; undefined if the reader may not see the island */
  async join(
    islandKey: number,
    reader: Omit<Reading, 'mayEnter'>,
  ): Promise<(() => void) | undefined> {
    const reading: Reading = { ...reader, mayEnter: false }
    const readings = this.#readings.get(islandKey) ?? new Set()
    // Join before the check, so that changes meanwhile are sent too.
    this.#readings.set(islandKey, readings.add(reading))
    await this.#checks.add(islandKey)
    if (!readings.has(reading)) return undefined
    return () => {
      readings.delete(reading)
      if (readings.size === 0 && this.#readings.get(islandKey) === readings) {
        this.#readings.delete(islandKey)
      }
    }
  }

  #of(islandKey: number): Iterable<Reading> {
    return this.#readings.get(islandKey) ?? []
  }

  #follow(event: IslandEvent): void {
    const { islandKey, id } = event
    switch (event.kind) {
      case 'open': {
        const { isOpen, since } = event
        return this.#send(islandKey, { type: 'island-open', payload: { id, isOpen, since } })
      }
      case 'log': {
        const message = { type: 'island-log', payload: { id } } as const
        return this.#send(islandKey, message, ({ mayEnter }) => mayEnter)
      }
      case 'requests': {
        // Their relation to the island has changed.
        const message = { type: 'island-changed', payload: { id } } as const
        return this.#send(
          islandKey,
          message,
          ({ userKey }) => userKey !== null && event.userKeys.includes(userKey),
        )
      }
      case 'gone':
        for (const reading of this.#of(islandKey)) endAsGone(reading)
        return undefined
      case 'changed':
      case 'members':
        if (this.#readings.has(islandKey)) void this.#checkAndSend(event)
    }
  }

  async #checkAndSend({ kind, islandKey, id }: IslandEvent): Promise<void> {
    await this.#checks.add(islandKey)
    if (kind === 'members') {
      this.#send(islandKey, { type: 'island-members', payload: { id } })
    }
    // After a change of members, the relation of users to the island may have changed too.
    this.#send(
      islandKey,
      { type: 'island-changed', payload: { id } },
      ({ userKey }) => kind !== 'members' || userKey !== null,
    )
  }

  #send(
    islandKey: number,
    message: IslandMessage,
    isFor: (reading: Reading) => boolean = () => true,
  ): void {
    for (const reading of this.#of(islandKey)) if (isFor(reading)) reading.stream.send(message)
  }

  async #check(islandKey: number): Promise<void> {
    const readings = [...this.#of(islandKey)]
    const userKeys = new Set(readings.flatMap(({ userKey }) => userKey ?? []))
    const rightsOf = await this.#islands.readRights(islandKey, [...userKeys])
    for (const reading of readings) {
      const { mayKnow, mayEnter } = rightsOf(reading.userKey)
      reading.mayEnter = mayEnter
      if (mayKnow) continue
      this.#readings.get(islandKey)?.delete(reading)
      endAsGone(reading)
    }
  }
}

function endAsGone({ stream, islandId }: Reading): void {
  stream.send({ type: 'island-gone', payload: { id: islandId } })
  stream.end()
}
