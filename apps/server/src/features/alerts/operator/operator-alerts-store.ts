import type { ChannelKind } from '@astropelago/contract/alert-channels'
import type { SentDelivery } from '../alerts-store.ts'

export interface ChannelCounts {
  readonly kind: ChannelKind
  readonly count: number
  readonly failing: number
  readonly ended: number
  readonly unconfirmed: number
}

export interface ListedDelivery extends Omit<SentDelivery, 'channel'> {
  /** Of the message. */
  readonly id: string
  readonly atMs: number
  readonly channelKind: string
}

/** What operators see of alerts, and whether any are sent. */
export interface OperatorAlertsStore {
  /** Since when nothing is sent; null while everything is. */
  readonly pausedMs: () => Promise<number | null>
  /** What is paused already stays so since then. */
  readonly pause: (nowMs: number) => Promise<void>
  readonly resume: () => Promise<void>
  /** Kinds of which there are any, in their alphabetical order. */
  readonly countChannels: () => Promise<readonly ChannelCounts[]>
  /** Those that wait, the oldest first, or those that wait no more, the newest first. */
  readonly listDeliveries: (
    userKey: number,
    which: { readonly isWaiting: boolean; readonly limit: number },
  ) => Promise<readonly ListedDelivery[]>
}
