import type { ChannelKind, ChannelState } from '@astropelago/contract/alert-channels'
import * as v from 'valibot'

/** One thing that a message tells of. */
const AlertItem = v.object({
  of: v.picklist(['device', 'island']),
  id: v.string(),
  name: v.string(),
  status: v.picklist(['online', 'offline', 'open', 'closed', 'warning']),
  /** Since when it is so. */
  sinceMs: v.number(),
  /** Where to look, whole. */
  url: v.string(),
})
export type AlertItem = v.InferOutput<typeof AlertItem>

/** What a channel is given to send, whole: texts are plain, channels escape what their markup would read. */
export const AlertMessage = v.object({
  /** What it tells: something is gone, something is back, a device warns, or several of these; or of new reports. */
  kind: v.picklist(['offline', 'online', 'warning', 'several', 'report', 'test']),
  /** One line, such as "Attic Pi is offline". */
  title: v.string(),
  /** What, since when, what else: few and short. */
  lines: v.array(v.string()),
  /** Where to look, whole. */
  url: v.string(),
  atMs: v.number(),
  /** What it tells of, for programs. */
  items: v.array(AlertItem),
})
export type AlertMessage = v.InferOutput<typeof AlertMessage>

/** `note` is a short line for people, without secrets: what came back, or why nothing did. */
export type SendResult =
  | { readonly isOk: true; readonly note: string }
  | {
      readonly isOk: false
      readonly note: string
      /** No other try will go better: the channel has ended, or its target says never. */
      readonly isFinal: boolean
      /** How long its target asks to be left alone. */
      readonly retryAfterMs?: number
    }

/** What alerts know of a user's channel. */
export interface ReadyChannel {
  readonly key: number
  readonly id: string
  readonly kind: ChannelKind
  readonly name: string
  readonly state: ChannelState
}

/** What alerts are built on. */
export interface Channels {
  /** Of all of a user's, ready or not. */
  readonly idsOf: (userKey: number) => Promise<readonly string[]>
  /** Those that anything is sent to, of several users at once: neither unconfirmed nor ended. */
  readonly readyOf: (userKeys: readonly number[]) => Promise<ReadonlyMap<number, ReadyChannel[]>>
  /**
   * Sends one message and resolves with what came of it: it never throws for what its target does, and ends
   * within a minute. The same `idempotencyKey` goes with each try of one delivery. A channel that is gone,
   * unconfirmed or ended is a final failure.
   */
  readonly sendTo: (
    channelKey: number,
    message: AlertMessage,
    idempotencyKey: string,
  ) => Promise<SendResult>
}
