import { formatNumber } from '../../../lib/format.ts'
import type { ChangeTally } from '../nodes/node-table.ts'

/** The shortest time between two announcements, so that screen readers are not interrupted too often. */
const summaryMs = 10_000

const nothing: ChangeTally = { cameOnline: 0, wentOffline: 0, added: 0, removed: 0 }

/** Announces changes in one sentence: at once after a quiet time, else 10 s after the last one. */
export function createChangeSummary(onSentence: (sentence: string) => void) {
  let sum = nothing
  let timer: ReturnType<typeof setTimeout> | undefined
  const announce = () => {
    timer = undefined
    const sentence = changeSentence(sum)
    if (sentence === '') return
    sum = nothing
    timer = setTimeout(announce, summaryMs)
    onSentence(sentence)
  }
  return {
    add(tally: ChangeTally) {
      sum = {
        cameOnline: sum.cameOnline + tally.cameOnline,
        wentOffline: sum.wentOffline + tally.wentOffline,
        added: sum.added + tally.added,
        removed: sum.removed + tally.removed,
      }
      if (timer === undefined) announce()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      sum = nothing
    },
  }
}

/** A sentence such as '3 devices came online, 1 went offline'; empty if there is nothing to announce. */
export function changeSentence(tally: ChangeTally): string {
  const parts = [
    part(tally.cameOnline, 'came online', 'came online'),
    part(tally.wentOffline, 'went offline', 'went offline'),
    part(tally.added, 'was added', 'were added'),
    part(tally.removed, 'was removed', 'were removed'),
  ].filter((each) => each !== undefined)
  // Only the first part contains the noun.
  return parts
    .map(({ count, verb }, index) => {
      const noun = index > 0 ? '' : count === 1 ? ' device' : ' devices'
      return `${formatNumber(count)}${noun} ${verb}`
    })
    .join(', ')
}

function part(count: number, one: string, many: string) {
  return count === 0 ? undefined : { count, verb: count === 1 ? one : many }
}
