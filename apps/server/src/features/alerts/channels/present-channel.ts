import { hash } from 'node:crypto'
import type {
  AlertChannel,
  ChannelSettings,
  ChannelState,
} from '@astropelago/contract/alert-channels'
import { isoTime } from '../../../iso-time.ts'
import type { ChannelRecord } from './channels-store.ts'
import type { CalledSettings } from './kinds/compose-call.ts'

const failingAfterMs = 3_600_000

export function presentChannel(record: ChannelRecord, nowMs: number): AlertChannel {
  const { settings, answer } = record
  return {
    id: record.id,
    kind: settings.kind,
    name: record.name,
    target: targetOf(settings),
    state: stateOf(record, nowMs),
    createdAt: isoTime(record.createdMs),
    lastAnswer: answer && { at: isoTime(answer.atMs), isOk: answer.isOk, note: answer.note },
    failingSince: isoTime(record.failingMs),
    endpointHash: settings.kind === 'push' ? hash('sha256', settings.endpoint, 'base64url') : null,
  }
}

export function stateOf(
  { endedMs, confirmedMs, failingMs }: Pick<ChannelRecord, 'endedMs' | 'confirmedMs' | 'failingMs'>,
  nowMs: number,
): ChannelState {
  if (endedMs !== null) return 'ended'
  if (confirmedMs === null) return 'unconfirmed'
  return failingMs !== null && nowMs - failingMs >= failingAfterMs ? 'failing' : 'ready'
}

/** For the audit log. Leaves out the channel's name, because people write addresses in it. */
export function channelEvent({ id, settings: { kind } }: ChannelRecord, action: string) {
  return { action: `channel.${action}`, subject: `channel:${id}`, details: { kind } }
}

function targetOf(settings: ChannelSettings): string {
  switch (settings.kind) {
    case 'email':
      return settings.address
    case 'telegram':
      return settings.chat
    case 'matrix':
      return settings.room
    case 'ntfy': {
      const { host, pathname } = new URL(settings.topic)
      return `${host}/${pathname.slice(1, 4)}…`
    }
    default:
      return new URL(addressOf(settings)).host
  }
}

export function addressOf(settings: CalledSettings): string {
  if ('url' in settings) return settings.url
  if (settings.kind === 'push') return settings.endpoint
  return settings.kind === 'ntfy' ? settings.topic : settings.server
}
