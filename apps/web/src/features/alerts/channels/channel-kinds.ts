import type { ChannelKind } from '@astropelago/contract/alert-channels'
import { t } from '@lingui/core/macro'
import AppWindow from 'virtual:icon/app-window'
import Bell from 'virtual:icon/bell'
import BellRing from 'virtual:icon/bell-ring'
import Grid3x3 from 'virtual:icon/grid-3x3'
import Hash from 'virtual:icon/hash'
import Mail from 'virtual:icon/mail'
import MessagesSquare from 'virtual:icon/messages-square'
import Send from 'virtual:icon/send'
import Webhook from 'virtual:icon/webhook'
import type { IconComponent } from '../../../ui/create-icon.tsx'

/** In the order in which they are offered. Kinds that need no other service come first. */
export const channelKinds: readonly ChannelKind[] = [
  'push',
  'email',
  'ntfy',
  'telegram',
  'discord',
  'slack',
  'matrix',
  'gotify',
  'webhook',
]

interface KindLabel {
  readonly name: string
  readonly hint: string
  readonly icon: IconComponent
}

export const kindLabels: Readonly<Record<ChannelKind, KindLabel>> = {
  push: {
    name: t`This browser`,
    hint: t`A notification, also while no tab is open`,
    icon: AppWindow,
  },
  email: { name: t`E-mail`, hint: t`To any address that you can read`, icon: Mail },
  ntfy: { name: 'ntfy', hint: t`Push to phones, without an account`, icon: Bell },
  telegram: { name: 'Telegram', hint: t`From a bot of your own`, icon: Send },
  discord: { name: 'Discord', hint: t`Into a channel of a server`, icon: MessagesSquare },
  slack: { name: 'Slack', hint: t`Mattermost and Rocket.Chat too`, icon: Hash },
  matrix: { name: 'Matrix', hint: t`Into a room that is not encrypted`, icon: Grid3x3 },
  gotify: { name: 'Gotify', hint: t`Push by a server of your own`, icon: BellRing },
  webhook: { name: t`Webhook`, hint: t`A signed call to a program of yours`, icon: Webhook },
}

/** A value that a kind needs, with its name in the contract. */
export interface KindField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly type?: 'email' | 'url' | 'password'
  readonly placeholder?: string
  readonly isOptional?: boolean
}

/** The kinds that are added by a form. Push asks the browser instead. */
export type FormKind = Exclude<ChannelKind, 'push'>

/** Where users find the values that each kind needs, and its fields. */
export const kindForms: Readonly<
  Record<FormKind, { readonly where: string; readonly fields: readonly KindField[] }>
> = {
  email: {
    where: t`First we send a link to this address. You get alerts there after you open the link and press the button.`,
    fields: [{ name: 'address', label: t`Address`, type: 'email', placeholder: 'ada@example.org' }],
  },
  webhook: {
    where: t`Each alert is a POST request with JSON, signed as Standard Webhooks describes. You get the secret to check the signature after you add the channel.`,
    fields: [
      { name: 'url', label: t`Address`, type: 'url', placeholder: 'https://example.org/alerts' },
    ],
  },
  ntfy: {
    where: t`In the ntfy app, press + and make up a topic name that nobody can guess. Anybody who knows the name can read your alerts. The address is the server followed by that name.`,
    fields: [
      {
        name: 'topic',
        label: t`Address of the topic`,
        type: 'url',
        placeholder: 'https://ntfy.sh/my-alerts-x7k2p9',
      },
      {
        name: 'token',
        label: t`Access token`,
        type: 'password',
        hint: t`Only needed for a protected topic. You find it in the settings of your ntfy account.`,
        isOptional: true,
      },
    ],
  },
  gotify: {
    where: t`In Gotify, open Apps, press Create application, and copy the token that it shows.`,
    fields: [
      {
        name: 'server',
        label: t`Server`,
        type: 'url',
        placeholder: 'https://gotify.example.org',
      },
      { name: 'token', label: t`Token of the application`, type: 'password' },
    ],
  },
  discord: {
    where: t`In Discord, open the settings of a channel, then Integrations and Webhooks. Press New Webhook and copy its URL.`,
    fields: [
      {
        name: 'url',
        label: t`Webhook URL`,
        type: 'url',
        placeholder: 'https://discord.com/api/webhooks/…',
      },
    ],
  },
  slack: {
    where: t`In Slack, make an app, turn on Incoming Webhooks, add one to a channel and copy its URL. In Mattermost and Rocket.Chat, you find webhooks under Integrations.`,
    fields: [
      {
        name: 'url',
        label: t`Webhook URL`,
        type: 'url',
        placeholder: 'https://hooks.slack.com/services/…',
      },
    ],
  },
  telegram: {
    where: t`Send /newbot to @BotFather, and it gives you the token. Then send any message to your new bot. To find the number of your chat, write to @userinfobot. To get alerts in a group, add your bot to it.`,
    fields: [
      {
        name: 'token',
        label: t`Token of the bot`,
        type: 'password',
        placeholder: '123456:ABC-DEF',
      },
      {
        name: 'chat',
        label: t`Chat`,
        hint: t`The number of the chat, or the public name of a channel, such as @my_alerts.`,
      },
    ],
  },
  matrix: {
    where: t`Make a Matrix account for your alerts and invite it into a room. In Element, its access token is under Settings, Help & About. The id of the room is in the settings of the room, under Advanced.`,
    fields: [
      { name: 'server', label: t`Server`, type: 'url', placeholder: 'https://matrix.org' },
      { name: 'token', label: t`Access token`, type: 'password' },
      { name: 'room', label: t`Id of the room`, placeholder: '!abc:matrix.org' },
    ],
  },
}
