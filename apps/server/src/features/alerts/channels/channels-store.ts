import type { ChannelSettings } from '@astropelago/contract/alert-channels'
import type { Channels } from './channel.ts'

export interface ChannelRecord {
  readonly key: number
  readonly id: string
  readonly userKey: number
  readonly name: string
  readonly settings: ChannelSettings
  /** How often the settings were replaced. Answers to a message sent with older settings do not count. */
  readonly revision: number
  readonly secret: string | null
  readonly unsubscribeCode: string | null
  /** Null while an e-mail address waits for its code. */
  readonly confirmedMs: number | null
  readonly endedMs: number | null
  readonly createdMs: number
  readonly answer: Answer | null
  /** Since when no message has arrived; null if the last one did. */
  readonly failingMs: number | null
}

export interface NamedChannel {
  readonly channel: ChannelRecord
  readonly username: string
}

interface Answer {
  readonly atMs: number
  readonly isOk: boolean
  readonly note: string
}

export interface NewChannelRecord extends Omit<
  ChannelRecord,
  'key' | 'revision' | 'endedMs' | 'answer' | 'failingMs'
> {
  readonly code: ConfirmationCode | null
}

interface ConfirmationCode {
  readonly hash: Uint8Array
  readonly expiresMs: number
}

export interface PushKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Methods that take a user touch only that user's channels. */
export interface ChannelsStore extends Pick<Channels, 'countKinds'> {
  /** @returns false if the user has `limit` channels, even under simultaneous calls */
  readonly insert: (channel: NewChannelRecord, limit: number) => Promise<boolean>
  /** Oldest first. */
  readonly list: (userKey: number) => Promise<readonly ChannelRecord[]>
  readonly find: (userKey: number, id: string) => Promise<ChannelRecord | undefined>
  /** Also undefined if its user is disabled. */
  readonly findByKey: (key: number) => Promise<ChannelRecord | undefined>
  /** Confirmed channels that have not ended, of users who are not disabled; oldest first for each user. */
  readonly listReady: (userKeys: readonly number[]) => Promise<readonly ChannelRecord[]>
  readonly rename: (userKey: number, id: string, name: string) => Promise<boolean>
  /** Starts afresh: earlier answers are forgotten, and an ended channel works again. */
  readonly replaceSettings: (
    userKey: number,
    id: string,
    change: Pick<NewChannelRecord, 'settings' | 'confirmedMs' | 'code' | 'unsubscribeCode'>,
  ) => Promise<boolean>
  readonly replaceSecret: (userKey: number, id: string, secret: string) => Promise<boolean>
  /** Changes nothing if the settings were replaced since `revision`. */
  readonly replaceCode: (
    channel: Pick<ChannelRecord, 'userKey' | 'id' | 'revision'>,
    code: ConfirmationCode,
  ) => Promise<boolean>
  readonly confirm: (codeHash: Uint8Array, nowMs: number) => Promise<NamedChannel | undefined>
  /** @returns the ended channel, even if it had ended before */
  readonly unsubscribe: (code: string, nowMs: number) => Promise<NamedChannel | undefined>
  /** Records the answer to a message. Ignored if the settings were replaced since that revision. */
  readonly recordAnswer: (
    key: number,
    revision: number,
    answer: Answer & { readonly hasEnded: boolean },
  ) => Promise<void>
  /** Also removes the channel from the user's alert rules. */
  readonly delete: (userKey: number, id: string) => Promise<ChannelRecord | undefined>
  /** Makes keys if none are stored. Servers that start at once all get the same keys. */
  readonly ensurePushKeys: (make: () => PushKeys) => Promise<PushKeys>
}
