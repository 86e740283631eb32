export interface LlmBudget {
  readonly calls: number
  readonly tokens: number
}

/** What each user has asked of the language model today. */
export interface LlmUsageStore {
  /**
   * Counts one call and the tokens it may cost; false, and nothing counted, where that would go past
   * the user's budget, or past that of all users together. Holds under simultaneous calls.
   * @param day In UTC: 2030-01-31
   */
  readonly reserve: (
    userKey: number,
    day: string,
    tokens: number,
    budget: LlmBudget,
    totalBudget: LlmBudget,
  ) => Promise<boolean>
  /** What is kept of a user, by day. */
  readonly list: (
    userKey: number,
  ) => Promise<readonly { readonly day: string; readonly calls: number; readonly tokens: number }[]>
  /** Gives back what a call did not cost; negative where it cost more. */
  readonly giveBack: (userKey: number, day: string, tokens: number) => Promise<void>
}
