import { readAttendance } from '@astropelago/contract/rooms'
import { Plural } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import UserRound from 'virtual:icon/user-round'
import { call } from '../lib/call.ts'
import { classNames } from '../ui/class-names.ts'

const freshMs = 15_000

/** The islands with people, by id. All that is shown of them shares one request. */
const attendanceQuery = queryOptions({
  queryKey: ['attendance'],
  queryFn: ({ signal }) => call(readAttendance, { signal }),
  refetchInterval: freshMs,
  staleTime: freshMs,
})

/** Empty if nobody is there. It comes late, so place it where it moves nothing. */
export function PeopleHere({ islandId, className }: { islandId: string; className?: string }) {
  const { data: count = 0 } = useQuery({
    ...attendanceQuery,
    select: (attendance) => attendance[islandId] ?? 0,
  })
  if (count === 0) return null
  return (
    <span
      data-numeric
      className={classNames(
        'inline-flex items-center gap-1.5 text-sm whitespace-nowrap text-ink',
        className,
      )}
    >
      <UserRound aria-hidden className="size-4 shrink-0 text-accent" strokeWidth={1.75} />
      <span>
        <Plural value={count} one="# here now" other="# here now" />
      </span>
    </span>
  )
}
