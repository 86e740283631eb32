import { ChannelSettings } from '@astropelago/contract/alert-channels'
import type { CheckImportEntry } from '@astropelago/contract/check-import'
import { checkImportNotes } from '@astropelago/contract/check-import-notes'
import { alertChannelNameMaxLength } from '@astropelago/contract/limits'
import * as v from 'valibot'
import { entry, left, shorten, subject } from './import-entry.ts'

/** More than an account's channels. */
const addressesMax = 100

const Row = v.object({
  id: v.number(),
  name: v.fallback(v.string(), ''),
  active: v.pipe(v.unknown(), v.transform(Boolean)),
  config: v.pipe(v.string(), v.parseJson(), v.looseObject({ type: v.string() })),
})

/** The channels of Uptime Kuma's “notification” rows, in their order. Rows that don't fit are skipped. */
export function readKumaChannels(rows: readonly unknown[]): CheckImportEntry[] {
  return rows.flatMap((row) => {
    const parsed = v.safeParse(Row, row)
    return parsed.success ? entriesOf(parsed.output) : []
  })
}

function entriesOf({ name, active, config }: v.InferOutput<typeof Row>): CheckImportEntry[] {
  const read = subject('channel', config.type, name)
  if (!active) return [left(read, checkImportNotes.channelOff)]
  const found = foundBy(config)
  if (typeof found === 'string') return [left(read, found)]
  return found.map(({ settings, note }) => {
    const parsed = v.safeParse(ChannelSettings, settings)
    if (!parsed.success) return left(read, checkImportNotes.badChannel)
    const notes = [checkImportNotes.allAlerts, ...(note === undefined ? [] : [note])]
    const title = shorten(read.name || config.type, alertChannelNameMaxLength)
    return entry(read, notes, { kind: 'channel', name: title, settings: parsed.output })
  })
}

interface Found {
  readonly settings: unknown
  readonly note?: string
}

/** @returns why there is no such channel */
function foundBy(config: Readonly<Record<string, unknown>>): readonly Found[] | string {
  const text = (name: string) => {
    const value = config[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  }
  switch (config.type) {
    case 'webhook':
      if (text('httpMethod').toLowerCase() === 'get') return checkImportNotes.webhookGet
      return [
        {
          settings: { kind: 'webhook', url: text('webhookURL') },
          note: checkImportNotes.webhookBody,
        },
      ]
    case 'ntfy': {
      if (text('ntfyAuthenticationMethod') === 'usernamePassword') return checkImportNotes.basicAuth
      const server = text('ntfyserverurl').replace(/\/+$/, '')
      const token = text('ntfyaccesstoken')
      return [
        {
          settings: {
            kind: 'ntfy',
            topic: `${server}/${text('ntfytopic')}`,
            token: token === '' ? null : token,
          },
        },
      ]
    }
    case 'gotify':
      return [
        {
          settings: {
            kind: 'gotify',
            server: text('gotifyserverurl'),
            token: text('gotifyapplicationToken'),
          },
        },
      ]
    case 'discord': {
      const isThread = text('discordChannelType') === 'postToThread'
      return [
        {
          settings: { kind: 'discord', url: text('discordWebhookUrl') },
          ...(isThread && { note: checkImportNotes.thread }),
        },
      ]
    }
    case 'slack':
      return [{ settings: { kind: 'slack', url: text('slackwebhookURL') } }]
    case 'telegram': {
      const server = text('telegramServerUrl')
      return [
        {
          settings: {
            kind: 'telegram',
            ...(server !== '' && { server }),
            token: text('telegramBotToken'),
            chat: text('telegramChatID'),
          },
          ...(text('telegramMessageThreadID') !== '' && { note: checkImportNotes.thread }),
        },
      ]
    }
    case 'matrix':
      return [
        {
          settings: {
            kind: 'matrix',
            server: text('homeserverUrl'),
            token: text('accessToken'),
            room: text('internalRoomId'),
          },
        },
      ]
    case 'smtp':
      return text('smtpTo')
        .split(',', addressesMax)
        .map((address) => ({
          settings: { kind: 'email', address: /<([^<>]*)>/.exec(address)?.[1] ?? address.trim() },
          note: checkImportNotes.confirm,
        }))
    default:
      return checkImportNotes.noChannel(String(config.type).slice(0, 64))
  }
}
