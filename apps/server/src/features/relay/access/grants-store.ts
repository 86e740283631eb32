export interface NewTicket {
  readonly ticketHash: Uint8Array
  /** Hash of the state in the `door` cookie of the browser that the ticket is for. */
  readonly stateHash: Uint8Array
  readonly islandKey: number
  /** The host name that it is for. */
  readonly hostName: string
  readonly sessionHash: Uint8Array
  readonly expiresMs: number
}

export interface Redemption extends Pick<NewTicket, 'stateHash' | 'islandKey' | 'hostName'> {
  readonly nowMs: number
}

export interface NewAnswer {
  readonly userKey: number
  readonly islandKey: number
  /** Later answers keep the first one's id, so that the island recognizes its visitor. */
  readonly visitorId: string
  readonly tellsName: boolean
  readonly answeredMs: number
}

/** Tickets and grants end with their session. They and visitors' answers end with their island. */
export interface GrantsStore {
  /** Keeps the newest `limit` tickets of the session. @throws ReferenceViolation */
  readonly insertTicket: (ticket: NewTicket, limit: number) => Promise<void>
  /** Works once, before it expires, for that island, host name and browser. Keeps the newest `limit` grants. */
  readonly redeem: (
    ticketHash: Uint8Array,
    use: Redemption,
    grant: { readonly grantHash: Uint8Array; readonly limit: number },
  ) => Promise<boolean>
  /** Whether its session is still valid is for accounts to say. */
  readonly findGrant: (grantHash: Uint8Array) => Promise<
    | {
        readonly islandKey: number
        /** Where it works; null for any name below RELAY_DOMAIN. */
        readonly hostName: string | null
        readonly userKey: number
        readonly sessionHash: Uint8Array
        /** Identifies the visitor to the island; null if the visitor stays unnamed. */
        readonly visitorId: string | null
      }
    | undefined
  >
  /** Keeps the newest `limit` answers of the user. @throws ReferenceViolation */
  readonly answer: (answer: NewAnswer, limit: number) => Promise<void>
  readonly takeBack: (userKey: number, islandKey: number, atMs: number) => Promise<void>
  readonly findAnswer: (userKey: number, islandKey: number) => Promise<boolean | null>
  /** Newest first, including those that were taken back. */
  readonly listAnswers: (userKey: number) => Promise<
    readonly {
      readonly islandId: string
      readonly tellsName: boolean | null
      readonly answeredMs: number
    }[]
  >
  readonly deleteExpiredTickets: (nowMs: number) => Promise<number>
}
