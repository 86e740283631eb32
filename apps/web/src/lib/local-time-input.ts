/** For a `datetime-local` field, in the reader's time zone. */
export function toLocalInput(iso: string): string {
  const date = new Date(iso)
  const day = [pad(date.getFullYear(), 4), pad(date.getMonth() + 1), pad(date.getDate())].join('-')
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`
}

/** ISO 8601 in UTC; undefined if there is no such time. */
export function fromLocalInput(typed: string): string | undefined {
  const date = new Date(typed)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function pad(number: number, length = 2): string {
  return String(number).padStart(length, '0')
}
