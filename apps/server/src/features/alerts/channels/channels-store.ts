import type { ChannelSettings } from '@astropelago/contract/alert-channels'

export interface ChannelRecord {
  readonly key: number
  readonly id: string
  readonly userKey: number
  readonly name: string
  readonly settings: ChannelSettings
  /** How often the settings were replaced: what came of older ones says nothing of these. */
  readonly revision: number
  /** By which a webhook's calls are signed; null of other kinds. */
  readonly secret: string | null
  /** In each mail to an address; null of other kinds. */
  readonly unsubscribeCode: string | null
  /** Null while an e-mail address waits for its code. */
  readonly confirmedMs: number | null
  readonly endedMs: number | null
  readonly createdMs: number
  /** What came back the last time that something was sent. */
  readonly answer: Answer | null
  /** Since when nothing has arrived; null where the last message did. */
  readonly failingMs: number | null
}

/** A channel with the user whose it is. */
export interface NamedChannel {
  readonly channel: ChannelRecord
  readonly username: string
}

export interface Answer {
  readonly atMs: number
  readonly isOk: boolean
  readonly note: string
}

export type NewChannelRecord = Omit<
  ChannelRecord,
  'key' | 'revision' | 'endedMs' | 'answer' | 'failingMs'
> & {
  readonly code: ConfirmationCode | null
}

export interface ConfirmationCode {
  readonly hash: Uint8Array
  readonly expiresMs: number
}

export interface PushKeys {
  readonly publicKey: string
  readonly privateKey: string
}

/** Whatever names a user touches that user's own channels only. */
export interface ChannelsStore {
  /** Never more than `limit` for a user, also under simultaneous calls. @returns whether it was inserted */
  readonly insert: (channel: NewChannelRecord, limit: number) => Promise<boolean>
  /** Oldest first. */
  readonly list: (userKey: number) => Promise<readonly ChannelRecord[]>
  readonly find: (userKey: number, id: string) => Promise<ChannelRecord | undefined>
  /** Undefined too where its user is turned off. */
  readonly findByKey: (key: number) => Promise<ChannelRecord | undefined>
  /** Those that are confirmed and not ended, of users who are not turned off; each user's oldest first. */
  readonly listReady: (userKeys: readonly number[]) => Promise<readonly ChannelRecord[]>
  readonly rename: (userKey: number, id: string, name: string) => Promise<boolean>
  /** Begins anew: nothing is known of what comes back, and what had ended goes on. */
  readonly replaceSettings: (
    userKey: number,
    id: string,
    change: {
      readonly settings: ChannelSettings
      readonly confirmedMs: number | null
      readonly code: ConfirmationCode | null
      readonly unsubscribeCode: string | null
    },
  ) => Promise<boolean>
  readonly replaceSecret: (userKey: number, id: string, secret: string) => Promise<boolean>
  /** In place of the code before; never for other settings than those that the code is sent to. */
  readonly replaceCode: (
    channel: Pick<ChannelRecord, 'userKey' | 'id' | 'revision'>,
    code: ConfirmationCode,
  ) => Promise<boolean>
  /** Uses the code up. @returns what is confirmed */
  readonly confirm: (codeHash: Uint8Array, nowMs: number) => Promise<NamedChannel | undefined>
  /** @returns what ended, also if it had before */
  readonly unsubscribe: (code: string, nowMs: number) => Promise<NamedChannel | undefined>
  /** Of what was sent by settings of that revision; nothing is noted where they were replaced since. */
  readonly noteAnswer: (
    key: number,
    revision: number,
    answer: Answer & { readonly hasEnded: boolean },
  ) => Promise<void>
  /** With its place in the user's rules. */
  readonly delete: (userKey: number, id: string) => Promise<ChannelRecord | undefined>
  /** Those that are kept, made where there are none: of several servers that start at once one's are. */
  readonly keepPushKeys: (make: () => PushKeys) => Promise<PushKeys>
}
