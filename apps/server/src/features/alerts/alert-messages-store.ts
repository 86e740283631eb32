import type { AlertDelivery } from '@astropelago/contract/alerts'
import type { PagePosition } from '../../page-position.ts'
import type { AlertMessage, ReadyChannel } from './channels/channel.ts'

export interface NewMessage {
  readonly id: string
  readonly message: AlertMessage
  readonly channels: readonly ReadyChannel[]
}

export interface Delivery {
  readonly messageKey: number
  readonly channelKey: number
  readonly userKey: number
  readonly id: string
  readonly atMs: number
  readonly message: AlertMessage
  readonly tries: number
}

type DeliveryKey = Pick<Delivery, 'messageKey' | 'channelKey'>

export interface Try {
  readonly state: AlertDelivery['state']
  readonly triedMs: number
  readonly nextMs: number | null
  readonly answer: string
}

export interface DeliveryState extends Pick<Try, 'state' | 'nextMs'> {
  readonly tries: number
  readonly triedMs: number | null
  readonly answer: string | null
}

export interface SentMessage {
  readonly id: string
  readonly atMs: number
  readonly message: AlertMessage
  readonly deliveries: readonly (DeliveryState & Pick<AlertDelivery, 'channel'>)[]
}

export interface ListedDelivery extends DeliveryState {
  readonly id: string
  readonly atMs: number
  readonly channelKind: string
}

export interface AlertMessagesStore {
  readonly insert: (userKey: number, message: NewMessage, nowMs: number) => Promise<void>
  /** Newest first. */
  readonly timesSince: (userKey: number, sinceMs: number) => Promise<readonly number[]>
  readonly count: (userKey: number) => Promise<number>
  /** Newest first. */
  readonly list: (
    userKey: number,
    page: { readonly after: PagePosition; readonly limit: number },
  ) => Promise<readonly SentMessage[]>
  readonly deleteOld: (untilMs: number, limit: number) => Promise<number>
  /** Every user's first delivery before anybody's second, at most `ofUser` for each; longest wait first. */
  readonly dueDeliveries: (
    nowMs: number,
    limit: { readonly all: number; readonly ofUser: number },
  ) => Promise<readonly Delivery[]>
  readonly recordTry: (delivery: DeliveryKey, outcome: Try) => Promise<void>
  readonly postpone: (delivery: DeliveryKey, untilMs: number) => Promise<void>
  readonly waiting: () => Promise<{ readonly count: number; readonly sinceMs: number | null }>
  /** A user's waiting deliveries, oldest first, or ended ones, newest first. */
  readonly listDeliveries: (
    userKey: number,
    which: { readonly isWaiting: boolean; readonly limit: number },
  ) => Promise<readonly ListedDelivery[]>
  /** Since when sending is paused; null if it is not. */
  readonly pausedMs: () => Promise<number | null>
  /** If sending is already paused, the earlier time stays. */
  readonly pause: (nowMs: number) => Promise<void>
  readonly resume: () => Promise<void>
}
