import { type Announcement, deleteAnnouncement } from '@astropelago/contract/announcements'
import { call } from '../../../lib/call.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { useAction } from '../operator-query.ts'

interface TakeBackDialogProps {
  readonly announcement: Announcement
  readonly onClose: () => void
}

export function TakeBackDialog({ announcement: { id, title }, onClose }: TakeBackDialogProps) {
  const removing = useAction({
    act: () => call(deleteAnnouncement, { params: { id } }),
    done: () => 'The announcement is taken back',
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title="Take this announcement back?"
      action="Take it back"
      isDestructive
      running={removing}
      onClose={onClose}
    >
      <bdi className="font-medium wrap-anywhere text-ink">{title}</bdi> disappears for everybody at
      once, and its text is deleted. To keep the text, edit the announcement and give it an end.
    </ConfirmDialog>
  )
}
