/** Tickets and what they become. Both end with the session that made them. */
export interface PreviewsStore {
  /** The oldest of a session beyond `limit` are deleted. */
  readonly insertTicket: (
    ticket: {
      readonly tokenHash: Uint8Array
      readonly islandKey: number
      /** What an operator reviews; null for the island's draft. */
      readonly deploymentKey: number | null
      readonly sessionHash: Uint8Array
      readonly expiresMs: number
    },
    limit: number,
  ) => Promise<void>
  /** Turns a ticket into a preview. @returns the island, or undefined if the ticket is not valid */
  readonly redeem: (
    ticketHash: Uint8Array,
    to: { readonly tokenHash: Uint8Array; readonly nowMs: number; readonly expiresMs: number },
  ) => Promise<number | undefined>
  /** The island's draft, for as long as the session's user hosts the island; or what an operator reviews. */
  readonly find: (
    tokenHash: Uint8Array,
    nowMs: number,
  ) => Promise<
    | { readonly islandKey: number; readonly deploymentKey: number; readonly isTrusted: boolean }
    | undefined
  >
  readonly deleteExpired: (nowMs: number) => Promise<void>
}
