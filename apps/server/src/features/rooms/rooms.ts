import { createHash } from 'node:crypto'
import type { Joined, RuntimeAnswer } from '@astropelago/contract/island-runtime'
import type { ErrorCode } from '@astropelago/contract/errors'
import {
  roomEventsStored,
  roomMessagesOfNewcomersPerMinute,
  roomMessagesPerTenSeconds,
} from '@astropelago/contract/limits'
import type { Moderation, RoomEvent } from '@astropelago/contract/rooms'
import type { InstanceNotices } from '../../cluster/instance-notices.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { grouped } from '../../group-turns.ts'
import { CallLimit } from '../../http/call-limit.ts'
import { limitCalls } from '../../http/rate-limits.ts'
import { KeyedQueue } from '../../keyed-queue.ts'
import { deleteInSteps } from '../../steps.ts'
import { Attendance } from './attendance.ts'
import { LiveRoom, type RoomReader, type Visitor, type WriteRule } from './live-room.ts'
import type {
  AppendOutcome,
  AppendRefusal,
  NewEvent,
  RoomsStore,
  StoredEvent,
} from './rooms-store.ts'

/** Of all signed-out visitors of an island, whose networks may be many, in ten seconds. */
const signedOutMessagesPerTenSeconds = 200
/** Between two commits. Every message of this time shares one. */
const commitMs = 20
const waitingMaxBytes = 16 * 1024 * 1024
const eventOverhead = 512
/** What the moderators of an island may do in a minute. */
const moderationsPerMinute = 120
/** How soon other servers’ events are found if they did not say so. */
const pollMs = 700
const retryMs = 1000
const newcomerMs = 3_600_000
const pruneMs = 60_000

export type Rooms = ReturnType<typeof createRooms>

export function createRooms({
  store,
  clock,
  cluster,
  schedule,
  changes,
  log,
  notices,
  readRule,
  isOfInstallation,
  isLoungeClosed,
}: Pick<FeatureBase, 'clock' | 'cluster'> & {
  readonly schedule: Pick<FeatureBase['schedule'], 'every' | 'everyOnLeader'>
  readonly changes: Pick<FeatureBase['changes'], 'subscribe'>
  readonly log: Pick<FeatureBase['log'], 'warn'>
  readonly store: RoomsStore
  readonly notices: InstanceNotices
  /** @throws StorageUnavailable */
  readonly readRule: (islandKey: number, room: string) => Promise<WriteRule>
  readonly isOfInstallation: (islandKey: number) => boolean
  /** Whether nobody could moderate what is written in the installation’s own rooms. */
  readonly isLoungeClosed: boolean
}) {
  const live = new Map<string, LiveRoom>()
  const servers = cluster.size
  const limitMessages = limitTo(roomMessagesPerTenSeconds, 10_000)
  const limitSignedOut = limitTo(signedOutMessagesPerTenSeconds, 10_000)
  const limitNewcomers = limitTo(roomMessagesOfNewcomersPerMinute, 60_000)
  const limitModerations = limitTo(moderationsPerMinute, 60_000)
  const find = (islandKey: number, room: string) => live.get(nameOf(islandKey, room))
  const isLive = (room: LiveRoom) => find(room.islandKey, room.name) === room
  const roomsOf = (islandKeys: ReadonlySet<number>) =>
    [...live.values()].filter((room) => islandKeys.has(room.islandKey))
  const attendance = new Attendance({
    clock,
    find,
    rooms: () => live.values(),
    broadcast,
    publish: (there) => notices.publish({ kind: 'people', there }),
  })
  const refreshes = new KeyedQueue<LiveRoom>({
    run: async (rooms) => {
      // One that could not be loaded is gone from there.
      for (const room of rooms) if (isLive(room)) await room.refresh()
    },
    retryAfterMs: () => retryMs,
    onFailure: (error) => log.warn({ err: error }, 'messages of other servers were not read'),
  })
  const refresh = (room: LiveRoom) => void refreshes.add(room)
  /** Users whose messages are gone. */
  const withdrawals = new KeyedQueue<number>({
    run: async (userKeys) => {
      for (const room of live.values()) {
        await room.ready()
        if (room.hasMessageOf(userKeys)) await room.reload()
      }
    },
    retryAfterMs: () => retryMs,
    onFailure: (error) => log.warn({ err: error }, 'deleted messages were not withdrawn'),
  })
  /** Islands where somebody was blocked. */
  const blocks = new KeyedQueue<number>({
    run: async (islandKeys) => await shutOutBlocked(islandKeys),
    retryAfterMs: () => retryMs,
    onFailure: (error) => log.warn({ err: error }, 'blocked visitors were not shut out'),
  })

  const append = grouped(
    async (events: readonly NewEvent[]) => {
      const outcomes = await store.append(events)
      publish(outcomes)
      return outcomes
    },
    {
      everyMs: commitMs,
      weigh: (event) => eventOverhead + (event.kind === 'message' ? event.value.length : 0),
      maxWeight: waitingMaxBytes,
    },
  )

  const publish = (outcomes: readonly AppendOutcome[]): void => {
    const done = outcomes.filter((outcome) => typeof outcome !== 'string')
    for (const group of Map.groupBy(done, ({ room }) => room.key).values()) {
      const stored = group.map((outcome) => outcome.stored)
      const room = group.at(-1)?.room
      if (room === undefined) continue
      const { islandKey, name } = room
      const isBlock = stored.some(({ event }) => event.kind === 'block')
      notices.publish({ kind: 'room', islandKey, room: name, isBlock })
      const here = find(islandKey, name)
      if (here?.deliver(room, stored) === true) refresh(here)
      if (isBlock) void blocks.add(islandKey)
    }
  }

  const shutOutBlocked = async (islandKeys: ReadonlySet<number>): Promise<void> => {
    const rooms = roomsOf(islandKeys)
    if (rooms.length === 0) return
    const blocked = await store.listBlocked([...islandKeys], clock())
    const names = new Set(blocked.map(({ islandKey, userKey }) => `${islandKey} ${userKey}`))
    for (const room of rooms) {
      for (const reader of room.readers) {
        const { userKey, isModerator } = reader.visitor
        if (isModerator || !names.has(`${room.islandKey} ${userKey}`)) continue
        shutOut(room, reader)
      }
    }
  }

  const shutOut = ({ islandKey, name }: LiveRoom, reader: RoomReader): void => {
    leave(islandKey, name, reader)
    reader.push({ push: 'closed', room: name })
  }

  /** @param answer gets what the reader is to be told before anything else */
  const join = async (
    { room, after }: { readonly room: string; readonly after?: number | undefined },
    reader: RoomReader,
    answer: (joined: Joined) => void,
  ): Promise<void> => {
    const { islandKey, userKey, isModerator } = reader.visitor
    const isBlocked = async () =>
      userKey !== null && !isModerator && (await store.isBlocked(islandKey, userKey, clock()))
    if (await isBlocked()) throw new DomainError('muted')
    const found = find(islandKey, room) ?? open(islandKey, room)
    found.joining += 1
    try {
      await found.ready()
      await found.enter(reader, after, (joined) =>
        answer({ ...joined, attendance: attendance.people(found) }),
      )
      attendance.change(found)
      // Whoever was blocked meanwhile was not among the readers yet.
      if (await isBlocked()) shutOut(found, reader)
    } finally {
      found.joining -= 1
      closeIfEmpty(found)
    }
  }

  const isClosed = (islandKey: number) => isLoungeClosed && isOfInstallation(islandKey)

  /** In the installation’s own rooms only those write whom somebody can moderate. */
  const ruleIn = async (islandKey: number, room: string): Promise<WriteRule> => {
    const rule = await readRule(islandKey, room)
    if (isClosed(islandKey)) return 'host'
    return rule === 'anyone' && isOfInstallation(islandKey) ? 'visitors' : rule
  }

  const open = (islandKey: number, name: string): LiveRoom => {
    const room = new LiveRoom(
      { islandKey, name },
      {
        store,
        broadcast,
        readRule: () => ruleIn(islandKey, name),
        people: (of) => attendance.people(of),
      },
    )
    live.set(nameOf(islandKey, name), room)
    return room
  }

  const closeIfEmpty = (room: LiveRoom): void => {
    const isEmpty = room.readers.size === 0 && room.joining === 0
    if (isEmpty) live.delete(nameOf(room.islandKey, room.name))
  }

  const leave = (islandKey: number, room: string, reader: RoomReader): void => {
    const found = find(islandKey, room)
    if (found?.readers.delete(reader) !== true) return
    closeIfEmpty(found)
    attendance.change(found)
  }

  notices.subscribe((writer, notice) => {
    if (notice.kind === 'people') attendance.receive(writer, notice.there)
    if (notice.kind !== 'room') return
    const found = find(notice.islandKey, notice.room)
    if (found !== undefined) refresh(found)
    if (notice.isBlock) void blocks.add(notice.islandKey)
  })
  notices.onJoin(() => attendance.all().map((there) => ({ kind: 'people', there })))
  notices.onGap((writer) => attendance.lose(writer))

  schedule.every(pollMs, 'messages of other servers were not looked for', async () => {
    attendance.forgetGone()
    if (servers() === 1 || live.size === 0) return
    const rooms = [...live.values()]
    const last = await store.readLastNumbers(rooms.flatMap(({ key }) => key ?? []))
    for (const room of rooms) {
      if (room.key === undefined || (last.get(room.key) ?? 0) > room.last) refresh(room)
    }
    await shutOutBlocked(new Set(rooms.map(({ islandKey }) => islandKey)))
  })
  schedule.everyOnLeader(pruneMs, 'old messages were not deleted', async (signal) => {
    await deleteInSteps(async (rows) => await store.prune(roomEventsStored, rows), { signal })
  })
  changes.subscribe('room-messages', async ({ keys }) => {
    await withdrawals.add(...keys).catch(() => undefined)
  })

  const stored = async (event: NewEvent): Promise<StoredEvent> => {
    const outcome = await append(event)
    if (typeof outcome === 'string') throw new DomainError(refusals[outcome])
    return outcome.stored
  }

  return {
    attendance,
    /** Whether visitors only read on the island. */
    isClosed,
    join,
    leave,
    /** @returns the event that the message became, now or before */
    send: async (
      visitor: Visitor,
      message: { readonly room: string; readonly clientId: string; readonly value: string },
    ): Promise<RoomEvent> => {
      const { islandKey, userKey, writer, isDemo, isModerator, network } = visitor
      if (isDemo) throw new DomainError('demo_account')
      const rule = isModerator ? 'visitors' : await ruleIn(islandKey, message.room)
      if (rule === 'host') throw new DomainError('read_only')
      if (writer === null && rule !== 'anyone') throw new DomainError('not_agreed')
      const who = `${islandKey} ${userKey ?? network}`
      const isNewcomer =
        isOfInstallation(islandKey) && !isModerator && clock() - visitor.createdMs < newcomerMs
      limitMessages(who)
      if (isNewcomer) limitNewcomers(who)
      if (userKey === null) limitSignedOut(islandKey)
      const { event } = await stored({
        kind: 'message',
        islandKey,
        ...message,
        clientId: clientIdOf(userKey, message.clientId),
        userKey,
        author: writer,
        isModerator,
        atMs: clock(),
      })
      return event
    },
    /** Not for the operators’ tools. @throws DomainError `rate_limited` */
    limitModeration: (islandKey: number, visitor?: Visitor): void => {
      const who = visitor?.isModerator === false ? ` ${visitor.userKey ?? visitor.network}` : ''
      limitModerations(`${islandKey}${who}`)
    },
    /** Whoever calls it is a moderator. @throws DomainError `not_found` */
    moderate: async (islandKey: number, room: string, action: Moderation): Promise<void> => {
      await stored({ kind: 'moderation', islandKey, room, action, authorKey: null, atMs: clock() })
    },
    /** Deletes a visitor’s own message. @throws DomainError `not_yours` */
    deleteOwn: async (authorKey: number, islandKey: number, room: string, message: number) => {
      const action = { kind: 'delete', message } as const
      const event = {
        kind: 'moderation',
        islandKey,
        room,
        action,
        authorKey,
        atMs: clock(),
      } as const
      const outcome = await append(event)
      const isDone = typeof outcome !== 'string' || outcome === 'unchanged'
      if (!isDone) throw new DomainError(refusals[outcome])
    },
    /** Its pages may say anew who writes where. */
    updateRules: (islandKey: number): void => {
      for (const room of roomsOf(new Set([islandKey]))) room.updateRule().catch(() => undefined)
    },
    peopleIn: (islandKey: number, room: string): number => {
      return attendance.people({ islandKey, name: room }).count
    },
  }
}

const refusals = {
  muted: 'muted',
  read_only: 'read_only',
  rooms_full: 'quota_exceeded',
  not_found: 'not_found',
  not_yours: 'not_yours',
  unchanged: 'not_found',
  signed_out: 'signed_out',
} as const satisfies Record<AppendRefusal, ErrorCode>

function limitTo(maxCalls: number, windowMs: number) {
  return limitCalls(new CallLimit({ maxCalls, windowMs }))
}

function nameOf(islandKey: number, room: string): string {
  return `${islandKey} ${room}`
}

function broadcast(readers: Iterable<RoomReader>, push: RuntimeAnswer): void {
  for (const reader of readers) reader.push(push)
}

/** Nobody gets or suppresses another’s message by its id. A hash, because it outlives the message. */
function clientIdOf(userKey: number | null, clientId: string): string {
  return createHash('sha256')
    .update(`${userKey ?? ''} ${clientId}`)
    .digest('base64url')
}
