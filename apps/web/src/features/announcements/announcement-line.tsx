import { type AnnouncementLevel, listAnnouncements } from '@astropelago/contract/announcements'
import { t } from '@lingui/core/macro'
import { Plural } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import ChevronRight from 'virtual:icon/chevron-right'
import Megaphone from 'virtual:icon/megaphone'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { call } from '../../lib/call.ts'
import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'

/** Without an announcement, the line keeps its space. */
export function AnnouncementLine() {
  const { data: announcements } = useAnnouncements()
  const [first, ...others] = announcements ?? []
  return (
    <div className="flex min-h-11 items-center sm:min-h-9">
      {first !== undefined && (
        <Link
          to={paths.discoverCategory('mothership')}
          className="group inline-flex max-w-full min-w-0 animate-appear items-center gap-3 rounded-control border border-line-strong bg-panel/85 py-1.5 ps-3 pe-2.5 text-sm text-ink no-underline transition-colors hover:border-muted hover:bg-raised"
        >
          <AnnouncementMark level={first.level} />
          <span dir="auto" className="min-w-0 truncate">
            {first.title}
          </span>
          {others.length > 0 && (
            <span className="shrink-0 text-muted max-sm:hidden">
              <Plural value={others.length} other="and # more" />
            </span>
          )}
          <ChevronRight
            aria-hidden
            className="size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5"
          />
        </Link>
      )}
    </div>
  )
}

export function AnnouncementMark({ level }: { level: AnnouncementLevel }) {
  const isWarning = level === 'warning'
  const Icon = isWarning ? TriangleAlert : Megaphone
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1.5 text-xs font-medium',
        isWarning ? 'text-danger' : 'text-accent',
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {isWarning ? t`Warning` : t`News`}
    </span>
  )
}

/** A page that is opened again within a minute sends no request. */
const announcementsQuery = queryOptions({
  queryKey: ['announcements'],
  queryFn: ({ signal }) => call(listAnnouncements, { signal }),
  staleTime: 60_000,
})

export function useAnnouncements() {
  return useQuery(announcementsQuery)
}
