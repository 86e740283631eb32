export interface NewTicket {
  readonly ticketHash: Uint8Array
  /** Hash of the state in the `door` cookie of the browser that the ticket is for. */
  readonly stateHash: Uint8Array
  readonly islandKey: number
  /** Hash of the session that made it. */
  readonly sessionHash: Uint8Array
  readonly expiresMs: number
}

export interface Redemption {
  readonly stateHash: Uint8Array
  readonly islandKey: number
  readonly nowMs: number
}

/** A visit in storage. Whether its session is still valid is for accounts to say. */
export interface GrantRecord {
  readonly islandKey: number
  readonly userKey: number
  readonly sessionHash: Uint8Array
  /** Identifies the visitor to the island; null if the visitor stays unnamed. */
  readonly visitorId: string | null
}

export interface AnswerRecord {
  readonly islandKey: number
  readonly islandId: string
  /** Null once the answer was taken back. */
  readonly tellsName: boolean | null
  readonly answeredMs: number
}

export interface NewAnswer {
  readonly userKey: number
  readonly islandKey: number
  /**
   * Used only for the first answer. Later answers keep the first id, so that the island recognizes its
   * visitor.
   */
  readonly visitorId: string
  readonly tellsName: boolean
  readonly answeredMs: number
}

/**
 * Tickets, the visits they turn into, and visitors' answers about showing their name. Tickets and visits
 * end with their session. All of them end with their island.
 */
export interface GrantsStore {
  /**
   * Deletes the session's oldest tickets above `limit`.
   * @throws ReferenceViolation
   */
  readonly insertTicket: (ticket: NewTicket, limit: number) => Promise<void>
  /**
   * Turns a ticket into a visit, once, if it is for that island and browser and has not expired. Deletes
   * the session's oldest visits above `limit`.
   * @returns whether it did
   */
  readonly redeem: (
    ticketHash: Uint8Array,
    use: Redemption,
    visit: { readonly visitHash: Uint8Array; readonly limit: number },
  ) => Promise<boolean>
  readonly findVisit: (visitHash: Uint8Array) => Promise<GrantRecord | undefined>
  /**
   * Deletes the user's oldest answers above `limit`.
   * @throws ReferenceViolation
   */
  readonly answer: (answer: NewAnswer, limit: number) => Promise<void>
  readonly takeBack: (userKey: number, islandKey: number, atMs: number) => Promise<void>
  readonly findAnswer: (userKey: number, islandKey: number) => Promise<boolean | null>
  /** Newest first. */
  readonly listAnswers: (userKey: number) => Promise<readonly AnswerRecord[]>
  readonly deleteExpiredTickets: (nowMs: number) => Promise<number>
}
