/** How much of the language model islands’ visitors may use, and have used. Days are in UTC: 2030-01-31. */
export interface IslandLlmStore {
  /** In tokens a day; 0 if it is off. */
  readonly readBudget: (islandKey: number) => Promise<number>
  readonly setBudget: (islandKey: number, dailyTokens: number) => Promise<void>
  readonly readUse: (islandKey: number, day: string) => Promise<number>
  /** Counts a call unless it exceeds the island’s budget or the visitor’s share of it. */
  readonly reserve: (
    islandKey: number,
    userKey: number,
    day: string,
    tokens: number,
  ) => Promise<boolean>
  /** Gives back what a call did not cost; negative if it cost more. */
  readonly giveBack: (
    islandKey: number,
    userKey: number,
    day: string,
    tokens: number,
  ) => Promise<void>
  readonly deleteBefore: (day: string) => Promise<void>
}
