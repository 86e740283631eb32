import type { Announcement } from '@astropelago/contract/announcements'
import { AnnouncementMark } from './announcement-mark.tsx'
import { LinkedText } from '../../ui/linked-text.tsx'
import { LocalTime } from '../../ui/local-time.tsx'

export function AnnouncementList({ announcements }: { announcements: readonly Announcement[] }) {
  return (
    <ul className="flex flex-col">
      {announcements.map(({ id, level, title, text, startsAt }) => (
        <li
          key={id}
          className="flex min-w-0 flex-col gap-1.5 border-b border-line py-5 first:pt-0 last:border-0 last:pb-0"
        >
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
            <AnnouncementMark level={level} />
            <LocalTime at={startsAt} form="day" />
          </p>
          <h3 dir="auto" className="text-base font-semibold wrap-anywhere">
            {title}
          </h3>
          {text !== '' && (
            <p
              dir="auto"
              className="max-w-3xl text-sm whitespace-pre-line wrap-anywhere text-muted"
            >
              <LinkedText>{text}</LinkedText>
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
