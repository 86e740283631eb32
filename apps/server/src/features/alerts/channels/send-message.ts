import * as v from 'valibot'
import type { Clock } from '../../../clock.ts'
import type { FeatureBase } from '../../../feature-base.ts'
import type { Mailer } from '../../../mail/mailer.ts'
import type { Outcome, Outgoing } from '../../../outgoing/outgoing.ts'
import type { SendResult } from './channel.ts'
import type { ChannelRecord, ChannelsStore } from './channels-store.ts'
import { alertMail } from './kinds/alert-mail.ts'
import { composeCall, type CalledSettings } from './kinds/compose-call.ts'
import type { Composed, Delivery } from './kinds/composed.ts'
import { cut } from './kinds/message-text.ts'
import type { PushSender } from './kinds/push.ts'

interface Sent {
  readonly result: SendResult
  readonly hasEnded: boolean
  /** The request, with dots in place of secrets. */
  readonly sent: string
  readonly answer: string
  readonly tookMs: number
}

export type SendMessage = (channel: ChannelRecord, delivery: Delivery) => Promise<Sent>

const shownMaxLength = 8000
const noteMaxLength = 200
/** A shorter secret may occur in an answer by chance. */
const secretMinLength = 8
const dots = '•••'

export function createSendMessage(deps: {
  readonly outgoing: Pick<Outgoing, 'call'>
  readonly mailer: Pick<Mailer, 'deliver'>
  readonly clock: Clock
  readonly publicUrl: string
  readonly pushSender: PushSender
}): SendMessage {
  const { outgoing, mailer, clock, publicUrl, pushSender } = deps
  const send = async (
    { settings, secret, unsubscribeCode }: ChannelRecord,
    delivery: Delivery,
  ): Promise<Omit<Sent, 'tookMs'>> => {
    if (settings.kind === 'email') {
      const { address } = settings
      const mail = alertMail(
        { address, unsubscribeCode: unsubscribeCode ?? '', publicUrl },
        delivery,
      )
      const result = await mailer.deliver(mail)
      return {
        result,
        hasEnded: false,
        sent: `To: ${address}\nSubject: ${mail.subject}\n\n${mail.text.replace(/#\S+/, `#${dots}`)}`,
        answer: result.note,
      }
    }
    let composed: Composed
    try {
      composed = composeCall(settings, delivery, { secret, pushSender, nowMs: clock() })
    } catch {
      // The key is not a point on the curve. No browser makes such keys.
      const note = 'The keys of this subscription can’t encrypt anything.'
      return {
        result: { isOk: false, isFinal: true, note },
        hasEnded: false,
        sent: '',
        answer: note,
      }
    }
    return judged(settings, composed, await outgoing.call(composed.call))
  }

  return async (channel, delivery) => {
    const startMs = performance.now()
    const sent = await send(channel, delivery)
    return { ...sent, tookMs: Math.round(performance.now() - startMs) }
  }
}

export function recordAnswers(
  sendMessage: SendMessage,
  deps: Pick<FeatureBase, 'clock' | 'metrics' | 'log'> & {
    readonly store: Pick<ChannelsStore, 'recordAnswer'>
  },
): SendMessage {
  const { store, clock, metrics, log } = deps
  const tries = new Map<string, { labels: { kind: string; outcome: string }; value: number }>()
  metrics.counter({
    name: 'astropelago_channel_tries_total',
    help: 'Messages that were sent to channels of alerts, each try of one, by what came of it',
    labels: ['kind', 'outcome'],
    read: () => [...tries.values()],
  })
  const count = (kind: string, isOk: boolean) => {
    const labels = { kind, outcome: isOk ? 'ok' : 'failed' }
    const name = `${kind} ${labels.outcome}`
    tries.set(name, { labels, value: (tries.get(name)?.value ?? 0) + 1 })
  }

  return async (channel, delivery) => {
    const sent = await sendMessage(channel, delivery)
    const { isOk, note } = sent.result
    count(channel.settings.kind, isOk)
    const answer = { atMs: clock(), isOk, note, hasEnded: sent.hasEnded }
    await store.recordAnswer(channel.key, channel.revision, answer).catch((error: unknown) => {
      // The message was sent all the same.
      log.error({ err: error }, 'the answer of a channel was not stored')
    })
    return sent
  }
}

function judged(
  settings: CalledSettings,
  composed: Composed,
  outcome: Outcome,
): Omit<Sent, 'tookMs'> {
  const hidden = (text: string) => withoutSecrets(text, composed.secrets)
  const sent = cut(shown(composed), shownMaxLength)
  if (outcome.kind === 'failed') {
    const { note, reason } = outcome
    const result = { isOk: false, isFinal: reason === 'refused', note } as const
    return { result, hasEnded: false, sent, answer: note }
  }
  const { status, text } = outcome
  const readable = hidden(text.replaceAll(/[^\P{C}\n]/gu, ''))
  const answer = `${status}\n${readable}`.trim()
  if (status >= 200 && status < 300) {
    // Services repeat the message in their answers. It is not stored twice.
    const result = { isOk: true, note: `It answered ${status}.` } as const
    return { result, hasEnded: false, sent, answer }
  }
  const hasEnded = composed.endsAt.has(status)
  const retryAfterMs = outcome.retryAfterMs ?? retryAfterIn(text)
  return {
    result: {
      isOk: false,
      // The author of a webhook may be fixing it.
      isFinal: hasEnded || (settings.kind !== 'webhook' && isLasting(status)),
      note: noteOf(status, readable),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    },
    hasEnded,
    sent,
    answer,
  }
}

function isLasting(status: number): boolean {
  return status >= 300 && status < 500 && ![408, 409, 425, 429].includes(status)
}

function noteOf(status: number, text: string): string {
  const [line = ''] = text.trimStart().split('\n')
  if (status >= 300 && status < 400)
    return `It answered ${status}: it redirects to another address, and redirects are not followed.`
  return line === '' || line.startsWith('<')
    ? `It answered ${status}.`
    : `It answered ${status}: ${cut(line, noteMaxLength)}`
}

/** Telegram, Matrix and Discord name the wait in the body, each in its own field. */
const RetryAfter = v.object({
  retry_after: v.optional(v.number()),
  retry_after_ms: v.optional(v.number()),
  parameters: v.optional(v.object({ retry_after: v.optional(v.number()) })),
})
const retryMaxMs = 24 * 3_600_000

function retryAfterIn(text: string): number | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), RetryAfter), text)
  if (!parsed.success) return undefined
  const { retry_after, retry_after_ms, parameters } = parsed.output
  const seconds = retry_after ?? parameters?.retry_after
  const waitMs = retry_after_ms ?? (seconds === undefined ? undefined : seconds * 1000)
  return waitMs === undefined ? undefined : Math.min(Math.max(Math.ceil(waitMs), 0), retryMaxMs)
}

function shown({ call, secrets, plainBody }: Composed): string {
  const { origin, href } = new URL(call.url)
  // Short secrets are hidden too, because their place in the call is known.
  const hidden = (text: string) =>
    secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, dots)), text)
  const path = hidden(href.slice(origin.length))
  const headers = Object.entries(call.headers).map(([name, value]) => hidden(`${name}: ${value}`))
  let body = withoutSecrets(plainBody ?? String(call.body), secrets)
  for (const secret of secrets) body = body.replaceAll(JSON.stringify(secret), `"${dots}"`)
  return `${call.method} ${origin}${path}\n${headers.join('\n')}\n\n${body}`
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  let left = text
  for (const secret of secrets) {
    if (secret.length >= secretMinLength) left = left.replaceAll(secret, dots)
  }
  return left
}
