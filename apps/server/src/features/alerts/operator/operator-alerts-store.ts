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
  /** ID of the message. */
  readonly id: string
  readonly atMs: number
  readonly channelKind: string
}

/** What operators see of alerts, and their switch for pausing them. */
export interface OperatorAlertsStore {
  /** Since when sending is paused; null if it is not. */
  readonly pausedMs: () => Promise<number | null>
  /** If alerts are already paused, the earlier time stays. */
  readonly pause: (nowMs: number) => Promise<void>
  readonly resume: () => Promise<void>
  /** Kinds that have channels, in alphabetical order. */
  readonly countChannels: () => Promise<readonly ChannelCounts[]>
  /** Waiting deliveries, oldest first, or ended ones, newest first. */
  readonly listDeliveries: (
    userKey: number,
    which: { readonly isWaiting: boolean; readonly limit: number },
  ) => Promise<readonly ListedDelivery[]>
}
