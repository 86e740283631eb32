import {
  pingCheck,
  pingCheckEvent,
  postPing,
  postPingEvent,
  postPush,
  pushToCheck,
} from '@astropelago/contract/check-pushes'
import { checkNoteMaxLength, keepReportEveryS } from '@astropelago/contract/limits'
import type { QueryOutput } from '@astropelago/contract/route'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import { CallLimit } from '../../../http/call-limit.ts'
import type { RateLimits } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { readableText } from '../../../readable-text.ts'
import { hashToken } from '../../../secret-token.ts'
import type { CheckRecord, ChecksStore } from '../checks-store.ts'
import type { CheckReport, PushTarget } from '../running/judge-check.ts'

type PushCheck = CheckRecord & { readonly target: PushTarget }

interface PushRoutesOptions {
  readonly serve: Serve
  readonly store: Pick<ChecksStore, 'findByPush'>
  /** Resolves when it is durable. */
  readonly report: (check: PushCheck, report: CheckReport) => Promise<void>
  readonly limits: Pick<RateLimits, 'badDeviceToken'>
  readonly clock: Clock
}

/** Scripts send their whole output, of which the rest is passed over. */
const bodyMaxBytes = 1024 * 1024
const noteMaxBytes = 4 * checkNoteMaxLength
/** What Uptime Kuma takes, and what the database can hold. */
const pingMaxMs = 100_000_000_000
const tookMaxMs = 2 ** 31 - 1
const exitCodeMax = 255

/**
 * The addresses of Healthchecks and Uptime Kuma, with their answers: in people’s scripts, only the host
 * changes. Register it in a scope of its own, since it takes bodies of any type.
 */
export async function pushRoutes(app: FastifyInstance, options: PushRoutesOptions) {
  const { serve, store, report, limits, clock } = options
  const stored = new CallLimit({
    maxCalls: 1,
    windowMs: keepReportEveryS * 1000,
    perf: { now: clock },
  })
  const notes = new WeakMap<FastifyRequest, string>()
  app.addHook('onRequest', async ({ headers }) => {
    delete headers['content-type']
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (request: FastifyRequest, body: AsyncIterable<Buffer>) => {
    const note = noteOf(await readBeginning(body))
    if (note !== null) notes.set(request, note)
  })

  const find = async (secret: string): Promise<PushCheck | undefined> => {
    const check = await store.findByPush(hashToken(secret))
    return check?.target.kind === 'push' ? { ...check, target: check.target } : undefined
  }

  /** At most one of a kind in 10 seconds is stored, unless it changes the status ([C7]). */
  const takeOne = async (secret: string, said: CheckReport): Promise<PushCheck | undefined> => {
    const check = await find(secret)
    if (check === undefined) return undefined
    const status = said.kind === 'ok' ? 'up' : said.kind === 'fail' ? 'down' : undefined
    const isChange = status !== undefined && status !== check.state?.status
    const kind = `${check.key} ${said.kind}`
    if (!isChange && stored.isOver(kind)) return check
    await report(check, said)
    stored.take(kind)
    return check
  }
  const taking = new Map<string, Promise<PushCheck | undefined>>()

  /** Reports of a kind that come while one is being stored have its answer. */
  const take = (secret: string, said: CheckReport): Promise<PushCheck | undefined> => {
    const key = `${said.kind} ${secret}`
    const taken = taking.get(key) ?? takeOne(secret, said).finally(() => taking.delete(key))
    taking.set(key, taken)
    return taken
  }

  const answerPing = async (
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    { secret, event }: { readonly secret: string; readonly event?: string },
  ): Promise<undefined> => {
    const text = (status: number, body: string) =>
      void reply.code(status).type('text/plain; charset=utf-8').send(body)
    const said = saidByEvent(event ?? '')
    if (said === undefined) return text(404, 'not found')
    const isValid = said.exitCode <= exitCodeMax
    const failure = said.exitCode > 0 ? `It ended with exit code ${said.exitCode}.` : null
    const note = notes.get(request) ?? failure
    const check = await (isValid
      ? take(secret, { kind: said.kind, note, tookMs: null })
      : find(secret))
    if (check !== undefined) return isValid ? text(200, 'OK') : text(400, 'invalid url format')
    limits.badDeviceToken(request)
    return text(404, 'not found')
  }
  const asPing = { answersHead: true, isQuiet: true }
  serve(app, pingCheck, (call) => answerPing(call, call.params), asPing)
  serve(app, postPing, (call) => answerPing(call, call.params), { isQuiet: true })
  serve(app, pingCheckEvent, (call) => answerPing(call, call.params), asPing)
  serve(app, postPingEvent, (call) => answerPing(call, call.params), { isQuiet: true })

  const answerPush = async (
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    secret: string,
    { status, msg = '', ping = '' }: QueryOutput<typeof pushToCheck>,
  ) => {
    const refuse = (why: string) => void reply.code(404).send({ ok: false, msg: why })
    const tookMs = Number.parseFloat(ping) || null
    const isValid = tookMs === null || (tookMs >= 0 && tookMs <= pingMaxMs)
    const said = {
      kind: (status || 'up') === 'up' ? 'ok' : 'fail',
      // Their scripts say this when there is nothing to say.
      note: msg === 'OK' ? null : noteOf(msg),
      tookMs: tookMs === null ? null : Math.min(Math.round(tookMs), tookMaxMs),
    } as const
    const check = await (isValid ? take(secret, said) : find(secret))
    if (check === undefined) limits.badDeviceToken(request)
    if (check === undefined || check.isPaused) return refuse('Monitor not found or not active.')
    return isValid
      ? ({ status: 200, body: { ok: true } } as const)
      : refuse(`Invalid ping value. Must be between 0 and ${pingMaxMs} ms.`)
  }
  for (const route of [pushToCheck, postPush]) {
    serve(app, route, (call) => answerPush(call, call.params.secret, call.query), { isQuiet: true })
  }
}

/** What an address says by its last part; undefined if there is no such address. */
function saidByEvent(
  event: string,
): { readonly kind: CheckReport['kind']; readonly exitCode: number } | undefined {
  if (event === '') return { kind: 'ok', exitCode: 0 }
  if (event === 'start' || event === 'fail' || event === 'log') return { kind: event, exitCode: 0 }
  if (!/^\d+$/.test(event)) return undefined
  const exitCode = Number(event)
  return { kind: exitCode === 0 ? 'ok' : 'fail', exitCode }
}

async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    if (length < noteMaxBytes) parts.push(part.subarray(0, noteMaxBytes - length))
    length += part.length
    if (length > bodyMaxBytes) throw new DomainError('too_large')
  }
  // A letter that is cut off at the end is left out.
  return new TextDecoder().decode(Buffer.concat(parts), { stream: true })
}

/** Null if nothing of it is visible. No text is refused: odd bytes must not make a check go down. */
function noteOf(text: string): string | null {
  const readable = readableText(text)
  return readable === undefined
    ? null
    : Array.from(readable).slice(0, checkNoteMaxLength).join('').trim()
}
