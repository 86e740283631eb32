export interface LlmBudget {
  readonly calls: number
  readonly tokens: number
}

export interface LlmUsageStore {
  /** Counts a call unless it exceeds a budget, even under simultaneous calls. @param day in UTC: 2030-01-31 */
  readonly reserve: (
    userKey: number,
    day: string,
    tokens: number,
    budget: LlmBudget,
    totalBudget: LlmBudget,
  ) => Promise<boolean>
  readonly list: (
    userKey: number,
  ) => Promise<readonly { readonly day: string; readonly calls: number; readonly tokens: number }[]>
  /** Gives back what a call did not cost; negative if it cost more. */
  readonly giveBack: (userKey: number, day: string, tokens: number) => Promise<void>
}
