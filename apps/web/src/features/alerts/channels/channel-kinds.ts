import type { ChannelKind } from '@astropelago/contract/alert-channels'
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

/** In the order in which they are offered: what needs no other service first. */
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

interface KindLook {
  readonly name: string
  /** What it is, in a few words. */
  readonly hint: string
  readonly icon: IconComponent
}

export const kindLooks: Readonly<Record<ChannelKind, KindLook>> = {
  push: {
    name: 'This browser',
    hint: 'A notification, also while no tab is open',
    icon: AppWindow,
  },
  email: { name: 'E-mail', hint: 'To any address that you can read', icon: Mail },
  ntfy: { name: 'ntfy', hint: 'Push to phones, without an account', icon: Bell },
  telegram: { name: 'Telegram', hint: 'From a bot of your own', icon: Send },
  discord: { name: 'Discord', hint: 'Into a channel of a server', icon: MessagesSquare },
  slack: { name: 'Slack', hint: 'Mattermost and Rocket.Chat too', icon: Hash },
  matrix: { name: 'Matrix', hint: 'Into a room that is not encrypted', icon: Grid3x3 },
  gotify: { name: 'Gotify', hint: 'Push by a server of your own', icon: BellRing },
  webhook: { name: 'Webhook', hint: 'A signed call to a program of yours', icon: Webhook },
}

/** A value that a kind needs, by its name in the contract. */
export interface KindField {
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly type?: 'email' | 'url' | 'password'
  readonly placeholder?: string
  readonly isOptional?: boolean
}

interface KindForm {
  /** Where the values are found. */
  readonly where: string
  readonly fields: readonly KindField[]
}

/** The kinds that a form adds; the browser's push asks the browser instead. */
export type FormKind = Exclude<ChannelKind, 'push'>

export const kindForms: Readonly<Record<FormKind, KindForm>> = {
  email: {
    where:
      'We send a link there first. Alerts come once you have opened it and pressed the button.',
    fields: [{ name: 'address', label: 'Address', type: 'email', placeholder: 'ada@example.org' }],
  },
  webhook: {
    where:
      'Each alert is a POST with JSON, signed as Standard Webhooks has it. You get the secret for checking that once the channel is there.',
    fields: [
      { name: 'url', label: 'Address', type: 'url', placeholder: 'https://example.org/alerts' },
    ],
  },
  ntfy: {
    where:
      'In the ntfy app press +, and make up a topic that nobody guesses: whoever knows its name can read it. Its address is the server and that name.',
    fields: [
      {
        name: 'topic',
        label: 'Address of the topic',
        type: 'url',
        placeholder: 'https://ntfy.sh/my-alerts-x7k2p9',
      },
      {
        name: 'token',
        label: 'Access token',
        type: 'password',
        hint: 'Only for a topic that is protected. You find it in your account’s settings.',
        isOptional: true,
      },
    ],
  },
  gotify: {
    where: 'In Gotify open Apps, press Create application, and copy the token in its line.',
    fields: [
      {
        name: 'server',
        label: 'Server',
        type: 'url',
        placeholder: 'https://gotify.example.org',
      },
      { name: 'token', label: 'Token of the application', type: 'password' },
    ],
  },
  discord: {
    where:
      'In Discord open a channel’s settings, then Integrations and Webhooks, press New Webhook and copy its URL.',
    fields: [
      {
        name: 'url',
        label: 'Webhook URL',
        type: 'url',
        placeholder: 'https://discord.com/api/webhooks/…',
      },
    ],
  },
  slack: {
    where:
      'In Slack make an app, turn on Incoming Webhooks, add one to a channel and copy its URL. In Mattermost and Rocket.Chat it is under Integrations.',
    fields: [
      {
        name: 'url',
        label: 'Webhook URL',
        type: 'url',
        placeholder: 'https://hooks.slack.com/services/…',
      },
    ],
  },
  telegram: {
    where:
      'Write /newbot to @BotFather: it gives the token. Then write anything to your bot. @userinfobot tells your own chat’s number; for a group, add the bot to it.',
    fields: [
      {
        name: 'token',
        label: 'Token of the bot',
        type: 'password',
        placeholder: '123456:ABC-DEF',
      },
      {
        name: 'chat',
        label: 'Chat',
        hint: 'Its number, or the public name of a channel such as @my_alerts.',
      },
    ],
  },
  matrix: {
    where:
      'Invite an account for alerts into a room. Its access token is in Element under Settings, Help & About; the room’s id is in the room’s settings, under Advanced.',
    fields: [
      { name: 'server', label: 'Server', type: 'url', placeholder: 'https://matrix.org' },
      { name: 'token', label: 'Access token', type: 'password' },
      { name: 'room', label: 'Id of the room', placeholder: '!abc:matrix.org' },
    ],
  },
}
