import type { ChannelKind } from '@astropelago/contract/alert-channels'
import type { OperatorAlerts } from '@astropelago/contract/operator-alerts'
import * as v from 'valibot'

/** A complete message. Texts are plain: each channel escapes what its own markup would interpret. */
export const AlertMessage = v.object({
  kind: v.picklist(['offline', 'online', 'warning', 'several', 'report', 'test']),
  title: v.string(),
  lines: v.array(v.string()),
  url: v.string(),
  atMs: v.number(),
  items: v.array(
    v.object({
      of: v.picklist(['device', 'island', 'check']),
      id: v.string(),
      name: v.string(),
      status: v.picklist(['online', 'offline', 'open', 'closed', 'up', 'down', 'warning']),
      sinceMs: v.number(),
      url: v.string(),
    }),
  ),
})
export type AlertMessage = v.InferOutput<typeof AlertMessage>

/** `note` is a short line for people, without secrets: the answer, or why there was none. */
export type SendResult =
  | { readonly isOk: true; readonly note: string }
  | {
      readonly isOk: false
      readonly note: string
      /** No retry can succeed: the channel has ended, or its target refuses for good. */
      readonly isFinal: boolean
      readonly retryAfterMs?: number
    }

/** A channel that receives messages: it is confirmed and has not ended. */
export interface ReadyChannel {
  readonly key: number
  readonly id: string
  readonly kind: ChannelKind
  readonly name: string
}

export interface Channels {
  readonly idsOf: (userKey: number) => Promise<readonly string[]>
  readonly readyOf: (userKeys: readonly number[]) => Promise<ReadonlyMap<number, ReadyChannel[]>>
  readonly countKinds: () => Promise<OperatorAlerts['channels']>
  /** Resolves within a minute. All tries of a delivery have the same key. Final if the channel is not ready. */
  readonly sendTo: (
    channelKey: number,
    message: AlertMessage,
    idempotencyKey: string,
  ) => Promise<SendResult>
}
