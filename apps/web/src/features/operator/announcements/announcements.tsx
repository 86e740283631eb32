import { type Announcement, listAllAnnouncements } from '@astropelago/contract/announcements'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import Megaphone from 'virtual:icon/megaphone'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { call } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { AtTime } from '../at-time.tsx'
import { OperatorList } from '../operator-list.tsx'
import { operatorKey } from '../operator-query.ts'
import { AnnouncementDialog } from './announcement-dialog.tsx'
import { TakeBackDialog } from './take-back-dialog.tsx'

function useAllAnnouncements() {
  return useQuery({
    queryKey: [operatorKey, 'announcements'],
    queryFn: ({ signal }) => call(listAllAnnouncements, { signal }),
  })
}

/** The open dialog, and its announcement. */
type Opened =
  | { readonly dialog: 'create' }
  | { readonly dialog: 'edit' | 'take-back'; readonly announcement: Announcement }

/** The current, planned and recent announcements. */
export function Announcements() {
  const titleId = useId()
  const query = useAllAnnouncements()
  const [opened, setOpened] = useState<Opened>()
  const announcements = query.data ?? []
  const close = () => setOpened(undefined)
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="Announcements"
        description="Everybody sees them on Discover under Mothership, and their titles on the dashboard."
      >
        <Button onClick={() => setOpened({ dialog: 'create' })}>Announce something</Button>
      </CardHeader>
      <OperatorList
        of="The announcements"
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
              onEdit={() => setOpened({ dialog: 'edit', announcement })}
              onTakeBack={() => setOpened({ dialog: 'take-back', announcement })}
            />
          ))}
        </ul>
      </OperatorList>
      {opened?.dialog === 'create' && (
        <AnnouncementDialog announcement={undefined} onClose={close} />
      )}
      {opened?.dialog === 'edit' && (
        <AnnouncementDialog announcement={opened.announcement} onClose={close} />
      )}
      {opened?.dialog === 'take-back' && (
        <TakeBackDialog announcement={opened.announcement} onClose={close} />
      )}
    </Card>
  )
}

interface AnnouncementItemProps {
  readonly announcement: Announcement
  readonly nowMs: number
  readonly onEdit: () => void
  readonly onTakeBack: () => void
}

function AnnouncementItem({ announcement, nowMs, onEdit, onTakeBack }: AnnouncementItemProps) {
  const { level, title, text, startsAt, endsAt } = announcement
  return (
    <li className="flex min-w-0 flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line py-5 first:pt-0 last:border-0 last:pb-0">
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
        <Button variant="outline" size="sm" aria-label={`Edit ${title}`} onClick={onEdit}>
          Edit
        </Button>
        <Button variant="outline" size="sm" aria-label={`Take back ${title}`} onClick={onTakeBack}>
          Take back
        </Button>
      </div>
    </li>
  )
}

function stateOf({ startsAt, endsAt }: Announcement, nowMs: number): string {
  if (endsAt !== null && Date.parse(endsAt) <= nowMs) return 'Over'
  return Date.parse(startsAt) > nowMs ? 'To come' : 'Shown now'
}
