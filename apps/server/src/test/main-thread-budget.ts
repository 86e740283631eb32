import { entryValueMaxBytes } from '@astropelago/contract/limits'

/** What one thing may cost the main thread: others wait meanwhile. */
const budgetMs = 20
const rounds = 5
/** What is past its budget is tried again: the machine may have done something else. */
const tries = 20
/** On a busy machine the same work takes so much more or less from one time to the next. */
const noise = 1.5

/** Of this thread, which other programs' work is no part of. */
export function processorMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(since)
  return (user + system) / 1000
}

/**
 * The least that work took of some tries where all were past the budget; undefined where one was not. Each is judged
 * by the machine as it is then: other tests may have its other core.
 * @param work resolves with the milliseconds of processor that it took
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

/** What making half a megabyte of keys into an object takes: about the budget, more on a slow machine. */
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
