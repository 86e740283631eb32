/** Which backups of a folder are kept: of the last days, and of weeks before. Times are UTC. */

const dayMs = 86_400_000
const daysKept = 7
/** This one and four before it. */
const weeksKept = 5

/** Others of the folder are somebody else's. */
const namePattern = /^astropelago-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)Z\.sqlite$/

/** What a backup is called that is made then: by it the folder tells what it holds. */
export function backupName(atMs: number): string {
  const [day = '', time = ''] = new Date(atMs).toISOString().split('T')
  return `astropelago-${day}T${time.slice(0, 5).replace(':', '')}Z.sqlite`
}

/** When a backup was made, to the minute; undefined for what is none. */
export function backupTimeMs(name: string): number | undefined {
  const [, day, hour, minute] = namePattern.exec(name) ?? []
  return day === undefined ? undefined : Date.parse(`${day}T${hour}:${minute}:00Z`)
}

/** Those that make room: all but the newest of each of the last 7 days, of this week and of each of the four before, that have one. */
export function surplusBackups(names: readonly string[]): readonly string[] {
  const backups = names
    .flatMap((name) => {
      const atMs = backupTimeMs(name)
      return atMs === undefined ? [] : [{ name, atMs }]
    })
    .toSorted((one, other) => other.atMs - one.atMs)
  const kept = new Set([
    ...newestOfEach(backups, daysKept, dayMs),
    ...newestOfEach(backups, weeksKept, 7 * dayMs),
  ])
  return backups.flatMap(({ name }) => (kept.has(name) ? [] : [name]))
}

function newestOfEach(
  newestFirst: readonly { readonly name: string; readonly atMs: number }[],
  count: number,
  spanMs: number,
): string[] {
  const bySpan = new Map<number, string>()
  for (const { name, atMs } of newestFirst) {
    const span = Math.floor(atMs / spanMs)
    if (!bySpan.has(span)) bySpan.set(span, name)
  }
  return [...bySpan.values()].slice(0, count)
}
