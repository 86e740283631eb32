import type { ChangeTally } from '../nodes/node-table.ts'

/** '3 devices came online, 1 went offline'; empty where nothing changed that a person would care for. */
export function changeSentence(tally: ChangeTally): string {
  const parts = [
    part(tally.cameOnline, 'came online', 'came online'),
    part(tally.wentOffline, 'went offline', 'went offline'),
    part(tally.added, 'was added', 'were added'),
    part(tally.removed, 'was removed', 'were removed'),
  ].filter((each) => each !== undefined)
  // Only the first part says what is counted.
  return parts
    .map(({ count, verb }, index) => {
      const noun = index > 0 ? '' : count === 1 ? ' device' : ' devices'
      return `${count.toLocaleString('en')}${noun} ${verb}`
    })
    .join(', ')
}

function part(count: number, one: string, many: string) {
  return count === 0 ? undefined : { count, verb: count === 1 ? one : many }
}
