import { plural } from '@lingui/core/macro'
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
  return changes
    .filter((change) => tally[change] > 0)
    .map((change, index) => (index === 0 ? withNoun : withoutNoun)[change](tally[change]))
    .join(', ')
}

const changes = ['cameOnline', 'wentOffline', 'added', 'removed'] as const
type Texts = Readonly<Record<(typeof changes)[number], (count: number) => string>>

const withNoun: Texts = {
  cameOnline: (count) =>
    plural(count, { one: '# device came online', other: '# devices came online' }),
  wentOffline: (count) =>
    plural(count, { one: '# device went offline', other: '# devices went offline' }),
  added: (count) => plural(count, { one: '# device was added', other: '# devices were added' }),
  removed: (count) =>
    plural(count, { one: '# device was removed', other: '# devices were removed' }),
}

const withoutNoun: Texts = {
  cameOnline: (count) => plural(count, { one: '# came online', other: '# came online' }),
  wentOffline: (count) => plural(count, { one: '# went offline', other: '# went offline' }),
  added: (count) => plural(count, { one: '# was added', other: '# were added' }),
  removed: (count) => plural(count, { one: '# was removed', other: '# were removed' }),
}
