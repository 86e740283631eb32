export interface LlmBudget {
  readonly calls: number
  readonly tokens: number
}

/** What each user has asked of the language model today. */
export interface LlmUsageStore {
  /**
   * Counts one call and the tokens it may cost. Returns false, and counts nothing, if that would exceed the
   * user's budget or that of all users together. Holds under simultaneous calls.
   * @param day in UTC: 2030-01-31
   */
  readonly reserve: (
    userKey: number,
    day: string,
    tokens: number,
    budget: LlmBudget,
    totalBudget: LlmBudget,
  ) => Promise<boolean>
  /** A user's rows, by day. */
  readonly list: (
    userKey: number,
  ) => Promise<readonly { readonly day: string; readonly calls: number; readonly tokens: number }[]>
  /** Gives back what a call did not cost; negative if it cost more. */
  readonly giveBack: (userKey: number, day: string, tokens: number) => Promise<void>
}
