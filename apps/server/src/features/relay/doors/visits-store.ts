export interface NewTicket {
  readonly ticketHash: Uint8Array
  /** Of what the browser holds that it is for. */
  readonly stateHash: Uint8Array
  readonly islandKey: number
  /** Of the session by which it is made. */
  readonly sessionHash: Uint8Array
  readonly expiresMs: number
}

export interface Redemption {
  readonly stateHash: Uint8Array
  readonly islandKey: number
  readonly nowMs: number
}

/** What storage has of a visit; whether its session is alive is for accounts to say. */
export interface VisitRecord {
  readonly islandKey: number
  readonly userKey: number
  readonly sessionHash: Uint8Array
  /** By which the island knows its visitor, where it is told who comes. */
  readonly visitorId: string | null
}

export interface AnswerRecord {
  readonly islandKey: number
  readonly islandId: string
  /** Null once it was taken back. */
  readonly tellsName: boolean | null
  readonly answeredMs: number
}

export interface NewAnswer {
  readonly userKey: number
  readonly islandKey: number
  /** Taken where there is none yet: an island goes on knowing its visitor by the first. */
  readonly visitorId: string
  readonly tellsName: boolean
  readonly answeredMs: number
}

/**
 * Tickets, the visits that they become, and what visitors say of themselves. Tickets and visits end with
 * their session, and all of them with their island.
 */
export interface VisitsStore {
  /** Of more than `limit` of a session the oldest go. @throws ReferenceViolation */
  readonly insertTicket: (ticket: NewTicket, limit: number) => Promise<void>
  /**
   * Turns a ticket into a visit, once, where it is for that island and browser and not too old. Of more
   * than `limit` of a session the oldest visits go.
   */
  readonly redeem: (
    ticketHash: Uint8Array,
    use: Redemption,
    visit: { readonly visitHash: Uint8Array; readonly limit: number },
  ) => Promise<boolean>
  readonly findVisit: (visitHash: Uint8Array) => Promise<VisitRecord | undefined>
  /** Of more than `limit` of a user the oldest go. @throws ReferenceViolation */
  readonly answer: (answer: NewAnswer, limit: number) => Promise<void>
  readonly takeBack: (userKey: number, islandKey: number, atMs: number) => Promise<void>
  readonly findAnswer: (userKey: number, islandKey: number) => Promise<boolean | null>
  /** The last first. */
  readonly listAnswers: (userKey: number) => Promise<readonly AnswerRecord[]>
  readonly deleteExpiredTickets: (nowMs: number) => Promise<number>
}
