import type { ChannelSettings } from '@astropelago/contract/alert-channels'
import type { Composed, Delivery } from './composed.ts'
import { discordCall } from './discord.ts'
import { gotifyCall } from './gotify.ts'
import { matrixCall } from './matrix.ts'
import { ntfyCall } from './ntfy.ts'
import { pushCall, type PushSender } from './push.ts'
import { slackCall } from './slack.ts'
import { telegramCall } from './telegram.ts'
import { webhookCall } from './webhook.ts'

interface ComposeDeps {
  /** Signs a webhook's calls; null for other kinds. */
  readonly secret: string | null
  readonly pushSender: PushSender
  readonly nowMs: number
}

/** Settings of the channels that are reached by an HTTP call. */
export type CalledSettings = Exclude<ChannelSettings, { readonly kind: 'email' }>

/**
 * Builds the HTTP call that carries a message.
 * @throws if a push subscription's keys cannot encrypt anything
 */
export function composeCall(
  settings: CalledSettings,
  delivery: Delivery,
  { secret, pushSender, nowMs }: ComposeDeps,
): Composed {
  switch (settings.kind) {
    case 'push':
      return pushCall(settings, delivery, pushSender)
    case 'webhook':
      return webhookCall(settings, delivery, { secret: secret ?? '', nowMs })
    case 'ntfy':
      return ntfyCall(settings, delivery)
    case 'gotify':
      return gotifyCall(settings, delivery)
    case 'discord':
      return discordCall(settings, delivery)
    case 'slack':
      return slackCall(settings, delivery)
    case 'telegram':
      return telegramCall(settings, delivery)
    default:
      return matrixCall(settings, delivery)
  }
}
