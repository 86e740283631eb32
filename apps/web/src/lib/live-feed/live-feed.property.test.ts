import { type FeedPosition, sequenceAt } from '@astropelago/contract/feed'
import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import type { FeedSubscription } from './live-feed.ts'
import {
  at,
  changed,
  device,
  type FakeConnection,
  reload,
  setUpFeed,
  silenceMs,
} from './testing/set-up-feed.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

const hiddenMaxMs = 60_000
const openTimeoutMs = 10_000

type Step =
  | { readonly kind: 'join' | 'load' | 'forget' | 'leave'; readonly seat: number }
  | { readonly kind: 'opened' | 'beat' | 'reload' | 'restart' | 'hidden' | 'shown' }
  | { readonly kind: 'messages'; readonly count: number }
  | { readonly kind: 'error'; readonly retryAfterMs: number }
  | { readonly kind: 'time'; readonly ms: number }

const seat = fc.nat(1)
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('join', 'load'), seat }),
  fc.record({ kind: fc.constantFrom('join', 'load', 'forget', 'leave'), seat }),
  fc.record({ kind: fc.constant('opened') }),
  fc.record({ kind: fc.constantFrom('opened', 'beat', 'reload', 'restart', 'hidden', 'shown') }),
  fc.record({ kind: fc.constant('messages'), count: fc.nat(4) }),
  fc.record({ kind: fc.constant('error'), retryAfterMs: fc.constantFrom(0, 5000) }),
  fc.record({
    kind: fc.constant('time'),
    // Just below and at each timeout.
    ms: fc.constantFrom(1, 19, 20, 500, 9999, openTimeoutMs, silenceMs, hiddenMaxMs),
  }),
)

/** A reader with its position from the list and the feed. */
class Reader {
  readonly #subscription: FeedSubscription
  readonly faults: string[] = []
  position: FeedPosition | undefined

  constructor(feed: ReturnType<typeof setUpFeed>['feed']) {
    this.#subscription = feed.join({
      onChanges: ({ changed: devices, removedIds, position }) => {
        const { epoch, number } = this.position ?? { epoch: 'nothing is wanted', number: 0 }
        const missed = Array.from({ length: position.number - number }, (_, index) =>
          sequenceAt({ epoch, number: number + 1 + index }),
        )
        const told = [...devices.map(({ id }) => id), ...removedIds]
        if (told.join() !== missed.join()) this.faults.push(`${told.join()} for ${missed.join()}`)
        if (position.epoch !== epoch) this.faults.push(`${position.epoch} after ${epoch}`)
        this.position = position
      },
      onReload: () => {
        this.position = undefined
      },
    })
  }

  load(list: FeedPosition): void {
    // An older list does not move the reader back.
    const isNews = this.position?.epoch !== list.epoch || this.position.number < list.number
    if (isNews) this.position = list
    this.#subscription.startAt(list)
  }

  forget(): void {
    this.position = undefined
    this.#subscription.forget()
  }

  leave(): void {
    this.#subscription.leave()
  }
}

/** Readers of a feed, and a server that sends each message about another device. */
class World {
  readonly #setUp = setUpFeed()
  readonly readers = new Map<number, Reader>()
  /** The position of the last message. */
  last: FeedPosition = { epoch: 'e0', number: 0 }
  /** When each accepted connection last received something. */
  readonly #heardAtMs = new Map<FakeConnection, number>()
  #hiddenAtMs = 0

  get state() {
    return this.#setUp.feed.state
  }

  do(each: Step): void {
    const { page } = this.#setUp
    switch (each.kind) {
      case 'join':
        // A reader that joins on a hidden page starts a new minute.
        if (this.readers.size === 0) this.#hiddenAtMs = Date.now()
        if (!this.readers.has(each.seat)) {
          this.readers.set(each.seat, new Reader(this.#setUp.feed))
        }
        break
      case 'load':
        // A list is slightly out of date.
        this.readers
          .get(each.seat)
          ?.load({ ...this.last, number: Math.max(0, this.last.number - 1) })
        break
      case 'forget':
        this.readers.get(each.seat)?.forget()
        break
      case 'leave':
        this.readers.get(each.seat)?.leave()
        this.readers.delete(each.seat)
        break
      case 'opened':
        for (const connection of this.#opening()) this.#accept(connection)
        break
      case 'messages':
        this.#tell(each.count)
        break
      case 'beat':
        for (const connection of this.#open()) {
          this.#heardAtMs.set(connection, Date.now())
          connection.onBeat()
        }
        break
      case 'reload':
        for (const connection of this.#open()) connection.onMessages([reload])
        break
      case 'restart':
        this.last = { epoch: `${this.last.epoch}0`, number: 0 }
        for (const connection of this.#open()) connection.onEnd(0)
        break
      case 'error':
        for (const connection of this.#unclosed()) connection.onEnd(each.retryAfterMs)
        break
      case 'hidden':
      case 'shown':
        this.#hiddenAtMs = Date.now()
        page.show(each.kind === 'shown')
        break
      case 'time':
        vi.advanceTimersByTime(each.ms)
        break
    }
  }

  /** Violations of the invariants. */
  faults(): string[] {
    const faults = [...this.readers.values()].flatMap((reader) => reader.faults)
    const count = this.#unclosed().length
    if (count > 1) faults.push('two connections')
    if (this.readers.size === 0 && count > 0) faults.push('a connection for nobody')
    if (this.readers.size === 0 && vi.getTimerCount() > 0) faults.push('a timer for nobody')
    const isLongHidden = this.#setUp.page.hidden && Date.now() - this.#hiddenAtMs >= hiddenMaxMs
    if (isLongHidden && count > 0) faults.push('a connection of a hidden page')
    for (const connection of this.#open()) {
      const silentMs = Date.now() - (this.#heardAtMs.get(connection) ?? 0)
      if (silentMs >= silenceMs) faults.push('a silent connection')
    }
    return faults
  }

  #unclosed(): FakeConnection[] {
    return this.#setUp.connections.filter(({ isClosed }) => !isClosed)
  }

  #opening(): FakeConnection[] {
    return this.#unclosed().filter((connection) => !this.#heardAtMs.has(connection))
  }

  #open(): FakeConnection[] {
    return this.#unclosed().filter((connection) => this.#heardAtMs.has(connection))
  }

  #accept(connection: FakeConnection): void {
    this.#heardAtMs.set(connection, Date.now())
    connection.onOpen()
    const since = at(connection.since)
    if (since.epoch === this.last.epoch) this.#send(connection, since.number)
    else connection.onMessages([reload])
  }

  #tell(count: number): void {
    const { number } = this.last
    this.last = { ...this.last, number: number + count }
    for (const connection of this.#open()) this.#send(connection, number)
  }

  #send(connection: FakeConnection, after: number): void {
    const texts: string[] = []
    for (let number = after + 1; number <= this.last.number; number += 1) {
      const sequence = sequenceAt({ ...this.last, number })
      texts.push(changed(sequence, device(sequence)))
    }
    if (texts.length === 0) return
    this.#heardAtMs.set(connection, Date.now())
    connection.onMessages(texts)
  }
}

const runs = { numRuns: 500 }
const steps = fc.array(step, { maxLength: 40 })

test('whatever happens there is one connection at most, none in silence or for nobody, and no message is lost or told twice', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const world = new World()
      for (const each of all) {
        world.do(each)
        expect(world.faults()).toEqual([])
      }
      for (const leaving of world.readers.keys()) world.do({ kind: 'leave', seat: leaving })
      expect(world.faults()).toEqual([])
      expect(world.state).toEqual({ phase: 'connecting' })
    }),
    runs,
  )
})

test('whatever has happened, readers that can load hear of everything once the server answers', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const world = new World()
      for (const each of [...all, { kind: 'join', seat: 0 } as const]) world.do(each)
      world.do({ kind: 'shown' })
      // Covers the longest wait that the server or the feed can ask for.
      for (let seconds = 0; seconds < 40; seconds += 1) {
        for (const [asked, { position }] of world.readers) {
          if (position === undefined) world.do({ kind: 'load', seat: asked })
        }
        world.do({ kind: 'opened' })
        world.do({ kind: 'beat' })
        world.do({ kind: 'time', ms: 1000 })
      }
      world.do({ kind: 'messages', count: 1 })
      world.do({ kind: 'time', ms: 20 })
      expect(world.state).toEqual({ phase: 'live' })
      for (const { position } of world.readers.values()) expect(position).toEqual(world.last)
      for (const leaving of world.readers.keys()) world.do({ kind: 'leave', seat: leaving })
    }),
    runs,
  )
})
