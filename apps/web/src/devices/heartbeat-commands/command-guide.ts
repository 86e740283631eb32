import type { DeviceSchedule } from '@astropelago/contract/device-schedules'
import { t } from '@lingui/core/macro'

export interface CommandBlock {
  readonly title: string
  readonly text: string
  readonly language: 'sh' | 'crontab' | 'ini' | 'xml' | 'powershell'
}

export function sh(title: string, text: string): CommandBlock {
  return { title, text, language: 'sh' }
}

export interface CommandGuide {
  readonly steps: readonly CommandBlock[]
  /** What the pastes install, to read or to install by hand. */
  readonly installs: readonly CommandBlock[]
  /** Undoes the steps; undefined if they install nothing. */
  readonly removal: CommandBlock | undefined
  readonly notes: readonly string[]
}

export interface NamedGuide extends CommandGuide {
  readonly name: string
}

export interface GuidesBySystem {
  readonly systems: readonly (NamedGuide & { readonly system: 'linux' | 'macos' | 'windows' })[]
  /** For Linux and other systems with a POSIX shell. */
  readonly others: readonly NamedGuide[]
}

export interface TokenHeartbeat {
  /** The server's public address: absolute, http or https. */
  readonly publicUrl: string
  readonly token: string
  /** A UUID, which is part of file, unit and task names. */
  readonly deviceId: string
  /** From `heartbeatOffsetSeconds`, so that devices do not all report in the same second. */
  readonly offsetSeconds: number
  readonly schedule: DeviceSchedule | null
}

const loopbackHost = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/

export function addressNotes(publicUrl: string): string[] {
  const { protocol, hostname, origin } = new URL(publicUrl)
  if (loopbackHost.test(hostname)) {
    return [
      t`${origin} can be reached from this computer only. For other devices, start the server with PUBLIC_URL set to an address that they can reach.`,
    ]
  }
  if (protocol === 'http:') {
    return [t`This server uses plain http: anyone on the way can read what the device sends.`]
  }
  return []
}

/** @param path relative to the home folder */
export function tokenFileNote(path: string): string {
  return t`The token goes into ~/${path}, which only your user can read. Your shell may keep the paste in its history.`
}
