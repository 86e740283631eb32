/**
 * For `vi.waitFor`, which by itself waits for a second: a busy machine takes longer. Only failures spend this
 * time.
 */
export const inTime = { timeout: 15_000, interval: 20 }

/** For polls of what follows within milliseconds. */
export const soon = { timeout: inTime.timeout, interval: 1 }
