import type {
  RuntimeAnswer,
  RuntimeCall,
  RuntimeResults,
} from '@astropelago/contract/island-runtime'
import { runtimeCallMaxBytes } from '@astropelago/contract/limits'
import { runtimeCloseCodes } from '@astropelago/contract/runtime-paths'
import { type SparkError, sparkError } from './spark-error.ts'

/** What carries the messages: a WebSocket, or a stand-in for the server. Its events come later, in order. Those after `close` don't count. */
export interface Wire {
  readonly send: (text: string) => void
  readonly close: () => void
}
export type OpenWire = (events: {
  readonly onMessage: (text: string) => void
  readonly onClose: (code: number) => void
}) => Wire

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never
type Call = WithoutId<RuntimeCall>
type CallOf<C> = Extract<Call, { readonly call: C }>
export type Hello = Extract<RuntimeAnswer, { readonly push: 'hello' }>
export type Push = Exclude<Extract<RuntimeAnswer, { readonly push: string }>, Hello>

/** What a connection tells, in this order. */
interface Handlers {
  readonly hello: (hello: Hello) => void
  readonly push: (push: Push) => void
  /** The connection is lost. Another one follows, unless it has ended. */
  readonly lost: () => void
  readonly ended: () => void
}

interface Unanswered {
  readonly text: string
  /**
   * What becomes of it when the connection is lost: it is sent again on the next one, is left to its caller,
   * or fails.
   */
  readonly whenLost: 'again' | 'forget' | 'fail'
  readonly resolve: (result: unknown) => void
  readonly reject: (error: SparkError) => void
  timer?: ReturnType<typeof setTimeout>
}

type State =
  /** Nobody needs it yet. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'open'; readonly wire: Wire; readonly stop: () => void; isLive: boolean }
  | { readonly kind: 'waiting'; readonly stop: () => void }
  /** The page is hidden for good, or in the cache for going back. */
  | { readonly kind: 'asleep' }
  | { readonly kind: 'ended'; readonly error: SparkError }

const offline = () => sparkError('offline', 'There is no connection to the server.')
const isPassing = (code: string) => code === 'overloaded' || code === 'rate_limited'

/** How long a call waits for the connection to come back. */
const offlineMs = 10_000
const firstDelayMs = 500
const lastDelayMs = 15_000
/** How many calls are under way at once. The server refuses twice as many. */
const callsAtOnce = 32
/** How often a quiet connection is tried out. One that does not answer within that time is dead. */
const tryOutMs = 20_000
/** An answer to this call is one that nobody waits for. */
const tryOut = JSON.stringify({ id: 0, call: 'user' } satisfies RuntimeCall)

export type Connection = ReturnType<typeof createConnection>

/** One connection to the server, made anew whenever it is lost. It opens with the first call. */
export function createConnection(openWire: OpenWire, page: Pick<EventTarget, 'addEventListener'>) {
  let state: State = { kind: 'idle' }
  let hello: Hello | undefined
  let attempts = 0
  let lastId = 0
  /** In the order of the calls. */
  const unanswered = new Map<number, Unanswered>()
  /** Those of them that are not sent on this connection yet. */
  let queue: Unanswered[] = []
  let underWay = 0
  const handlers: Partial<Handlers>[] = []

  const connect = () => {
    drop()
    let isQuiet = true
    const interval = setInterval(() => {
      if (isQuiet) {
        connect()
        return
      }
      isQuiet = true
      attempts = 0
      opened.wire.send(tryOut)
    }, tryOutMs)
    const wire = openWire({
      onMessage: (text) => {
        if (state !== opened) return
        isQuiet = false
        receive(JSON.parse(text))
      },
      onClose: (code) => {
        if (state === opened) lose(code)
      },
    })
    const opened: State & { kind: 'open' } = {
      kind: 'open',
      wire,
      stop: () => {
        clearInterval(interval)
        wire.close()
      },
      isLive: false,
    }
    state = opened
  }

  /** Leaves the present state for another one, which the caller sets. */
  const drop = () => {
    if (state.kind === 'waiting' || state.kind === 'open') state.stop()
    if (state.kind !== 'open' || !state.isLive) return
    state.isLive = false
    for (const [id, call] of unanswered) {
      if (call.whenLost === 'again') giveTime(id, call)
      else {
        unanswered.delete(id)
        if (call.whenLost === 'fail') call.reject(offline())
      }
    }
    for (const { lost } of handlers) lost?.()
  }

  const lose = (code: number) => {
    drop()
    if (code === runtimeCloseCodes.shut) end('shut', 'This island does not let you in any more.')
    else if (code === runtimeCloseCodes.unwanted)
      end('unwanted', 'The server ended the connection.')
    else {
      const delayMs = Math.min(firstDelayMs * 2 ** attempts++, lastDelayMs)
      const timer = setTimeout(connect, delayMs * (0.5 + Math.random() / 2))
      state = { kind: 'waiting', stop: () => clearTimeout(timer) }
    }
  }

  const end = (code: string, message: string) => {
    const error = sparkError(code, message)
    state = { kind: 'ended', error }
    for (const { timer, reject } of unanswered.values()) {
      clearTimeout(timer)
      reject(error)
    }
    unanswered.clear()
    for (const { ended } of handlers) ended?.()
  }

  const giveTime = (id: number, call: Unanswered) => {
    clearTimeout(call.timer)
    call.timer = setTimeout(() => {
      unanswered.delete(id)
      call.reject(offline())
    }, offlineMs)
  }

  const settle = (id: number): Unanswered | undefined => {
    const call = unanswered.get(id)
    if (call !== undefined) underWay -= 1
    unanswered.delete(id)
    sendQueued()
    return call
  }

  const sendQueued = () => {
    while (state.kind === 'open' && state.isLive && underWay < callsAtOnce) {
      const call = queue.shift()
      if (call === undefined) return
      underWay += 1
      state.wire.send(call.text)
    }
  }

  const receive = (answer: RuntimeAnswer) => {
    if ('error' in answer) {
      const { code, message } = answer.error
      const failed = settle(answer.id)
      // Nobody would ask again for what pages read all along.
      if (failed?.whenLost === 'forget' && isPassing(code)) lose(runtimeCloseCodes.slow)
      else failed?.reject(sparkError(code, message))
    } else if (!('push' in answer)) settle(answer.id)?.resolve(answer.result)
    else if (answer.push === 'hello') beLive(answer)
    else for (const { push } of handlers) push?.(answer)
  }

  const beLive = (received: Hello) => {
    if (state.kind !== 'open') return
    hello = received
    state.isLive = true
    queue = [...unanswered.values()]
    underWay = 0
    for (const { timer } of queue) clearTimeout(timer)
    for (const handler of handlers) handler.hello?.(received)
    sendQueued()
  }

  const send = (call: Call, parts: Pick<Unanswered, 'whenLost' | 'resolve' | 'reject'>) => {
    const id = ++lastId
    const text = JSON.stringify({ id, ...call })
    if (new TextEncoder().encode(text).length > runtimeCallMaxBytes) {
      parts.reject(sparkError('too_large', 'This is larger than the server accepts.'))
      return
    }
    const sent: Unanswered = { text, ...parts }
    unanswered.set(id, sent)
    if (state.kind === 'open' && state.isLive) {
      queue.push(sent)
      sendQueued()
    } else giveTime(id, sent)
  }

  /**
   * Sends a call, again if the connection is lost before the answer, unless it costs something.
   * @throws SparkError
   */
  function call<C extends Call['call']>(asked: CallOf<C>): Promise<RuntimeResults[C]>
  function call(asked: Call): Promise<unknown> {
    if (state.kind === 'ended') return Promise.reject(state.error)
    start()
    return new Promise((resolve, reject) =>
      send(asked, { whenLost: asked.call === 'llm' ? 'fail' : 'again', resolve, reject }),
    )
  }

  /** Sends a call on this connection only, if there is one. Its caller sends it anew after each `hello`. */
  function callOnce<C extends Call['call']>(
    asked: CallOf<C>,
    onResult?: (result: RuntimeResults[C]) => void,
    onError?: (error: SparkError) => void,
  ): void
  function callOnce(
    asked: Call,
    resolve: (result: unknown) => void = () => {},
    reject: (error: SparkError) => void = () => {},
  ): void {
    if (state.kind === 'open' && state.isLive) send(asked, { whenLost: 'forget', resolve, reject })
  }

  const start = () => {
    if (state.kind === 'idle') connect()
  }
  const connectSooner = () => {
    if (state.kind === 'waiting') connect()
  }

  page.addEventListener('online', connectSooner)
  page.addEventListener('visibilitychange', connectSooner)
  // A page with a connection could not come back from the browser's cache.
  page.addEventListener('pagehide', () => {
    if (state.kind !== 'open' && state.kind !== 'waiting') return
    drop()
    state = { kind: 'asleep' }
  })
  page.addEventListener('pageshow', () => {
    if (state.kind !== 'asleep') return
    for (const [id, sent] of unanswered) giveTime(id, sent)
    connect()
  })

  return {
    call,
    callOnce,
    start,
    /** Connects anew, as the visitor's identity may have changed. */
    renew: () => {
      if (state.kind === 'waiting' || state.kind === 'ended') connect()
      // One that is still opening learns the identity of now.
      else if (state.kind === 'open' && state.isLive) connect()
    },
    handle: (handler: Partial<Handlers>) => void handlers.push(handler),
    /** The last one. */
    hello: () => hello,
  }
}
