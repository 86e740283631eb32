import {
  type Announcement,
  deleteAnnouncement,
  listAllAnnouncements,
} from '@astropelago/contract/announcements'
import { useQuery } from '@tanstack/react-query'
import Megaphone from 'virtual:icon/megaphone'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { call } from '../../../lib/call.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ActionButton, DialogButton } from '../action-button.tsx'
import { AtTime } from '../at-time.tsx'
import { OperatorListCard } from '../operator-list-card.tsx'
import { operatorKey } from '../operator-query.ts'
import { listItemStyles, SubjectName } from '../subject-details.tsx'
import { AnnouncementDialog } from './announcement-dialog.tsx'

/** The current, planned and recent announcements. */
export function Announcements() {
  const query = useQuery({
    queryKey: [operatorKey, 'announcements'],
    queryFn: ({ signal }) => call(listAllAnnouncements, { signal }),
  })
  const announcements = query.data ?? []
  return (
    <OperatorListCard
      title="Announcements"
      description="Everybody sees them on Discover under Mothership, and their titles on the dashboard."
      actions={
        <DialogButton
          variant="default"
          renderDialog={(close) => <AnnouncementDialog announcement={undefined} onClose={close} />}
        >
          Announce something
        </DialogButton>
      }
      query={query}
      isEmpty={announcements.length === 0}
      empty={
        <EmptyState icon={<Megaphone aria-hidden />} title="Nothing is announced">
          <p>News, maintenance or a warning: everybody sees what you announce at once.</p>
        </EmptyState>
      }
    >
      <ul className="flex flex-col">
        {announcements.map((announcement) => (
          <AnnouncementItem
            key={announcement.id}
            announcement={announcement}
            nowMs={query.dataUpdatedAt}
          />
        ))}
      </ul>
    </OperatorListCard>
  )
}

function AnnouncementItem(props: { announcement: Announcement; nowMs: number }) {
  const { announcement, nowMs } = props
  const { id, level, title, text, startsAt, endsAt } = announcement
  return (
    <li className={`${listItemStyles} py-5`}>
      <div className="flex min-w-0 flex-col gap-1">
        <h3 dir="auto" className="flex items-start gap-2 text-base font-semibold wrap-anywhere">
          {level === 'warning' && (
            <TriangleAlert aria-label="Warning:" className="mt-1 size-4 shrink-0 text-danger" />
          )}
          <span className="min-w-0">{title}</span>
        </h3>
        {text !== '' && (
          <p
            dir="auto"
            className="line-clamp-3 max-w-3xl text-sm whitespace-pre-line wrap-anywhere text-muted"
          >
            {text}
          </p>
        )}
        <p className="text-xs text-muted">
          <span className="font-medium text-ink">{stateOf(announcement, nowMs)}</span>, from{' '}
          <AtTime at={startsAt} />
          {endsAt === null ? (
            ', until it is taken back'
          ) : (
            <>
              {' '}
              until <AtTime at={endsAt} />
            </>
          )}
        </p>
      </div>
      <div className="flex shrink-0 gap-2">
        <DialogButton
          size="sm"
          aria-label={`Edit ${title}`}
          renderDialog={(close) => (
            <AnnouncementDialog announcement={announcement} onClose={close} />
          )}
        >
          Edit
        </DialogButton>
        <ActionButton
          label="Take back"
          name={`Take back ${title}`}
          size="sm"
          title="Take this announcement back?"
          action="Take it back"
          isDestructive
          act={() => call(deleteAnnouncement, { params: { id } })}
          done="The announcement is taken back"
        >
          <SubjectName>{title}</SubjectName> disappears for everybody at once, and its text is
          deleted. To keep the text, edit the announcement and give it an end.
        </ActionButton>
      </div>
    </li>
  )
}

function stateOf({ startsAt, endsAt }: Announcement, nowMs: number): string {
  if (endsAt !== null && Date.parse(endsAt) <= nowMs) return 'Over'
  return Date.parse(startsAt) > nowMs ? 'To come' : 'Shown now'
}
