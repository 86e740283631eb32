import type { ChannelSettings } from '@astropelago/contract/alert-channels'
import type { OutgoingCall } from '../../../../outgoing/outgoing.ts'
import type { AlertMessage } from '../channel.ts'

/** A call that tells something, and how its owner is shown it. */
export interface Composed {
  readonly call: OutgoingCall
  /** Parts of it that nobody is shown. */
  readonly secrets: readonly string[]
  /** What its body says, where that is encrypted. */
  readonly plainBody?: string
  /** Answers by which its target says that it is gone for good. */
  readonly endsAt: ReadonlySet<number>
}

export type SettingsOf<Kind extends ChannelSettings['kind']> = Extract<
  ChannelSettings,
  { readonly kind: Kind }
>

/** One try of one delivery: the key is the same with each. */
export interface Delivery {
  readonly message: AlertMessage
  readonly idempotencyKey: string
}
