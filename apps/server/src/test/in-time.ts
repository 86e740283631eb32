/**
 * For `vi.waitFor`, which by itself waits for a second: a busy machine takes longer. Only failures spend this
 * time.
 */
export const inTime = { timeout: 15_000, interval: 20 }
