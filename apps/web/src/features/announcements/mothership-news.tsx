import type { Announcement } from '@astropelago/contract/announcements'
import { useId } from 'react'
import { Card, CardHeader } from '../../ui/card.tsx'
import { AnnouncementList } from './announcement-list.tsx'

/** The section on Discover that the Mothership's card and the dashboard's line lead to. */
export const mothershipNewsId = 'mothership-news'

/** All that is announced now. */
export function MothershipNews({ announcements }: { announcements: readonly Announcement[] }) {
  const titleId = useId()
  return (
    <Card id={mothershipNewsId} tabIndex={-1} aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="From the Mothership"
        description="What the people who run this network want you to know."
      />
      <AnnouncementList announcements={announcements} />
    </Card>
  )
}
