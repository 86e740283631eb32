export interface Holding {
  readonly islandKey: number
  readonly islandId: string
  readonly values: number
  readonly valueBytes: number
  readonly messages: number
}

export interface HeldValue {
  readonly store: string
  readonly key: string
  /** JSON. */
  readonly value: string
  readonly changedMs: number
}

export interface HeldMessage {
  readonly roomKey: number
  readonly n: number
  readonly room: string
  readonly atMs: number
  /** JSON. */
  readonly value: string
}

/** What islands hold of a user. */
export interface VisitorDataStore {
  readonly list: (userKey: number) => Promise<readonly Holding[]>
  readonly listValues: (userKey: number, islandKey: number) => Promise<readonly HeldValue[]>
  /** Room by room, the newest first, from a message on. */
  readonly listMessages: (
    userKey: number,
    islandKey: number,
    page: {
      readonly before?: Pick<HeldMessage, 'roomKey' | 'n'> | undefined
      readonly limit: number
    },
  ) => Promise<readonly HeldMessage[]>
  readonly deleteValues: (userKey: number, islandKey: number) => Promise<void>
  /** The rooms with messages of the user, and the ids by which the island knows the user there. */
  readonly listAuthors: (
    userKey: number,
    islandKey: number,
  ) => Promise<readonly { readonly room: string; readonly visitor: string }[]>
}
