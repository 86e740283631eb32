import type { AnnouncementLevel } from '@astropelago/contract/announcements'
import Megaphone from 'virtual:icon/megaphone'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { classNames } from '../../ui/class-names.ts'

/** An announcement's level, as an icon and a word. */
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
      {isWarning ? 'Warning' : 'News'}
    </span>
  )
}
