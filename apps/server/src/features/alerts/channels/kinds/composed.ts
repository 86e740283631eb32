import type { ChannelSettings } from '@astropelago/contract/alert-channels'
import type { OutgoingCall } from '../../../../outgoing/outgoing.ts'
import type { AlertMessage } from '../channel.ts'

/** An HTTP call that carries a message, and what its owner sees of it. */
export interface Composed {
  readonly call: OutgoingCall
  /** Parts of the call that are never shown. */
  readonly secrets: readonly string[]
  /** The body before encryption, if it is encrypted. */
  readonly plainBody?: string
  /** Statuses that mean the target is gone for good. */
  readonly endsAt: ReadonlySet<number>
}

export type SettingsOf<Kind extends ChannelSettings['kind']> = Extract<
  ChannelSettings,
  { readonly kind: Kind }
>

/** One try of a delivery. All its tries have the same key. */
export interface Delivery {
  readonly message: AlertMessage
  readonly idempotencyKey: string
}
