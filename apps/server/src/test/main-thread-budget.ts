import { entryValueMaxBytes } from '@astropelago/contract/limits'

/** Main-thread time that one task may take. Everything else waits meanwhile. */
const budgetMs = 20
const rounds = 5
/** Work over its budget is tried again, because the machine may have done something else. */
const tries = 20
/** Factor by which the same work varies on a busy machine. */
const noise = 1.5

/** Processor time of this thread, without other programs' work. */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since)
  return (user + system) / 1000
}

/**
 * The least time that work took if every try was over the budget; undefined if one was not. Each try is
 * compared with the speed of the machine at that moment, because other tests may use its other core.
 * @param work resolves with its processor time in milliseconds
 */
export async function pastMainThreadBudgetMs(
  work: () => Promise<number>,
): Promise<number | undefined> {
  let leastMs = Infinity
  for (let at = 0; at < tries; at += 1) {
    const tookMs = await work()
    if (tookMs <= budgetMs || tookMs <= noise * referenceMs()) return undefined
    leastMs = Math.min(leastMs, tookMs)
  }
  return leastMs
}

/** Time to parse an object with half a megabyte of keys: about the budget, and more on a slow machine. */
function referenceMs(): number {
  let text = '{"k":1'
  for (let at = 0; text.length < entryValueMaxBytes; at += 1) text += `,"k${at}":1`
  text += '}'
  let leastMs = Infinity
  for (let round = 0; round < rounds; round += 1) {
    const before = process.threadCpuUsage()
    JSON.parse(text)
    leastMs = Math.min(leastMs, processorMs(before))
  }
  return leastMs
}
