import type {
  ListedEntries,
  RuntimeAnswer,
  RuntimeCall,
  RuntimeUser,
  ValueStore,
} from '@astropelago/contract/island-runtime'
import type { LlmAnswer, LlmRequest } from '@astropelago/contract/spark'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { FairTurns } from '../../fair-turns.ts'
import { textFrame } from '../../http/web-sockets.ts'
import type { Rooms, Visitor, Writer } from '../rooms/public.ts'
import type { ValueRule } from './island-values-store.ts'
import type { LiveValues } from './live-values.ts'

export type PageVisitor = Visitor & { readonly isHost: boolean }

/** What one page may watch and be in at a time. */
const watchesMax = 20
const roomsMax = 20
/** What they read can have megabytes. */
const takesTurns: ReadonlySet<RuntimeCall['call']> = new Set([
  'keys',
  'get',
  'entries',
  'watch',
  'join',
])
const readsAtOnce = 4

const nothing: ListedEntries = { entries: [], isWhole: true }

export interface RuntimePage {
  /** @param answer is called at most once, before what follows from the call @throws DomainError */
  readonly take: (call: RuntimeCall, answer: (result: unknown) => void) => Promise<void>
  readonly close: () => void
  /** The visitor may have lost rights: what waits is not done. */
  readonly end: () => void
}

export interface RuntimeCalls {
  readonly open: (visitor: PageVisitor, write: (frame: Buffer) => void) => RuntimePage
}

/** What `spark` can do on islands. */
export function createRuntimeCalls({
  values,
  rooms,
  clock,
  readValueRule,
  askLlm,
}: {
  readonly values: LiveValues
  readonly rooms: Rooms
  readonly clock: Clock
  /** @throws StorageUnavailable */
  readonly readValueRule: (islandKey: number, key: string) => Promise<ValueRule>
  readonly askLlm: (
    visitor: PageVisitor,
    request: LlmRequest,
    signal: AbortSignal,
  ) => Promise<LlmAnswer>
}): RuntimeCalls {
  const turns = new FairTurns({ atOnce: readsAtOnce })
  const open: RuntimeCalls['open'] = (visitor, write) => {
    const { islandKey } = visitor
    const closing = new AbortController()
    let hasEnded = false
    const joined = new Set<string>()
    const watches = new Map<string, () => void>()
    const reader = {
      visitor,
      push: (push: RuntimeAnswer) => write(frameOf(push)),
    }
    const close = () => {
      closing.abort()
      for (const room of joined) rooms.leave(islandKey, room, reader)
      for (const end of watches.values()) end()
      watches.clear()
    }
    const of = (store: ValueStore) => ({
      islandKey,
      store,
      ownerKey: store === 'kv' ? (visitor.userKey ?? 0) : 0,
    })
    /** Nobody’s values are empty. */
    const isNobodys = (store: ValueStore) => store === 'kv' && visitor.writer === null

    const writeValue = async (
      store: ValueStore,
      key: string,
      change: { readonly kind: 'set'; readonly value: string } | { readonly kind: 'delete' },
    ) => {
      const { isHost } = visitor
      const rule = store === 'shared' ? await readValueRule(islandKey, key) : 'own'
      // Nobody says who they are for what they may not write anyway.
      if ((store === 'host' || rule === 'host') && !isHost) throw new DomainError('read_only')
      const writer = writerOf(visitor)
      await values.write({ ...of(store), key, writer, isHost, rule, atMs: clock(), ...change })
    }

    const take: RuntimePage['take'] = (call, answer) => {
      if (!takesTurns.has(call.call)) return takeNow(call, answer)
      return turns.take(visitor.network, async () => {
        if (!closing.signal.aborted) await takeNow(call, answer)
      })
    }

    const takeNow: RuntimePage['take'] = async (call, answer) => {
      switch (call.call) {
        case 'user':
          answer(userOf(visitor))
          break
        case 'keys':
          answer(isNobodys(call.store) ? [] : await values.store.listKeys(of(call.store)))
          break
        case 'get': {
          const [entry] = isNobodys(call.store)
            ? []
            : await values.store.read([{ ...of(call.store), key: call.key }])
          answer(entry?.value ?? null)
          break
        }
        case 'entries':
          answer(
            isNobodys(call.store)
              ? nothing
              : await values.store.listEntries({ ...of(call.store), prefix: call.prefix }),
          )
          break
        case 'set':
          await writeValue(call.store, call.key, { kind: 'set', value: call.value })
          answer(null)
          break
        case 'delete':
          await writeValue(call.store, call.key, { kind: 'delete' })
          answer(null)
          break
        case 'watch':
          await watch(call, answer)
          break
        case 'unwatch': {
          const name = `${call.store} ${call.prefix}`
          watches.get(name)?.()
          watches.delete(name)
          answer(null)
          break
        }
        case 'join':
          await join(call, answer)
          break
        case 'leave':
          rooms.leave(islandKey, call.room, reader)
          joined.delete(call.room)
          answer(null)
          break
        case 'send':
          answer(await rooms.send(visitor, call))
          break
        case 'moderate':
          await moderate(call)
          answer(null)
          break
        case 'llm':
          answer(await askLlm(visitor, call.request, closing.signal))
          break
      }
    }

    const moderate = async ({ room, action }: Extract<RuntimeCall, { call: 'moderate' }>) => {
      rooms.limitModeration(islandKey, visitor)
      if (visitor.isModerator) await rooms.moderate(islandKey, room, action)
      else if (action.kind !== 'delete') throw new DomainError('read_only')
      else {
        const { userKey } = writerOf(visitor)
        await rooms.deleteOwn(userKey, islandKey, room, action.message)
      }
    }

    const join = async (
      call: Extract<RuntimeCall, { call: 'join' }>,
      answer: (result: unknown) => void,
    ): Promise<void> => {
      const { room } = call
      if (joined.size >= roomsMax && !joined.has(room)) throw new DomainError('quota_exceeded')
      if (joined.has(room)) rooms.leave(islandKey, room, reader)
      joined.add(room)
      try {
        await rooms.join(call, reader, answer)
      } catch (error) {
        joined.delete(room)
        throw error
      }
      if (closing.signal.aborted) rooms.leave(islandKey, room, reader)
    }

    const watch = async (
      { store, prefix }: Pick<Extract<RuntimeCall, { call: 'watch' }>, 'store' | 'prefix'>,
      answer: (result: unknown) => void,
    ): Promise<void> => {
      const name = `${store} ${prefix}`
      watches.get(name)?.()
      watches.delete(name)
      if (watches.size >= watchesMax) throw new DomainError('quota_exceeded')
      if (isNobodys(store)) {
        answer(nothing)
        return
      }
      const { end, ready } = values.watch({ ...of(store), prefix, push: reader.push }, answer)
      watches.set(name, end)
      await ready
    }

    // In the order of the calls. Only answers of the language model take long.
    let before = Promise.resolve()
    const takeInTurn: RuntimePage['take'] = (call, answer) => {
      if (call.call === 'llm') return take(call, answer)
      const inTurn = async () => {
        await before
        if (!hasEnded) await take(call, answer)
      }
      const taken = inTurn()
      before = taken.catch(() => undefined)
      return taken
    }

    const end = () => {
      hasEnded = true
      close()
    }
    return { take: takeInTurn, close, end }
  }
  return { open }
}

/** @throws DomainError `demo_account`, `not_agreed` */
function writerOf({ writer, isDemo }: PageVisitor): Writer {
  if (isDemo) throw new DomainError('demo_account')
  if (writer === null) throw new DomainError('not_agreed')
  return writer
}

export function userOf({
  writer,
  isHost,
}: Pick<PageVisitor, 'writer' | 'isHost'>): RuntimeUser | null {
  return writer === null ? null : { id: writer.id, name: writer.name, isHost }
}

let last: { readonly push: RuntimeAnswer; readonly frame: Buffer } | undefined

/** A push goes to many pages in a row, and is encoded once. */
export function frameOf(push: RuntimeAnswer): Buffer {
  if (last?.push !== push) {
    last = { push, frame: textFrame(Buffer.from(JSON.stringify(push))) }
  }
  return last.frame
}
