import {
  type Announcement,
  createAnnouncement,
  updateAnnouncement,
} from '@astropelago/contract/announcements'
import {
  announcementsMax,
  announcementTextMaxLength,
  announcementTitleMaxLength,
} from '@astropelago/contract/limits'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { useAfterAction } from '../operator-query.ts'
import {
  changesOf,
  draftOf,
  emptyDraft,
  newAnnouncementOf,
  readDraft,
} from './announcement-draft.ts'

interface AnnouncementDialogProps {
  /** The announcement to edit; undefined for a new one. */
  readonly announcement: Announcement | undefined
  readonly onClose: () => void
}

export function AnnouncementDialog({ announcement, onClose }: AnnouncementDialogProps) {
  const isNew = announcement === undefined
  const after = useAfterAction()
  const form = useApiForm({
    values: isNew ? emptyDraft : draftOf(announcement),
    read: (draft) => readDraft(draft, new Date()),
    send: (draft) =>
      isNew
        ? call(createAnnouncement, { body: newAnnouncementOf(draft) })
        : call(updateAnnouncement, {
            params: { id: announcement.id },
            body: changesOf(draft, announcement),
          }),
    onSent: () => {
      after(isNew ? 'It is announced' : 'The announcement is changed')
      onClose()
    },
    explain: savingFailure,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title={isNew ? 'Announce something' : 'Edit this announcement'}
      description="Everybody who visits Discover or the dashboard sees it from its start to its end. Enter times by your own clock."
    >
      <form {...form.wiring} className="flex flex-col gap-5">
        <TextField label="Title" maxLength={announcementTitleMaxLength} {...form.text('title')} />
        <TextAreaField
          label="Text"
          optional
          hint="Plain text. Addresses that begin with https:// become links."
          rows={5}
          maxLength={announcementTextMaxLength}
          {...form.text('text')}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Start"
            optional={isNew}
            hint={isNew ? 'If you leave this empty, it starts at once.' : undefined}
            type="datetime-local"
            {...form.text('startsAt')}
          />
          <TextField
            label="End"
            optional
            hint="If you leave this empty, it stays until you take it back."
            type="datetime-local"
            {...form.text('endsAt')}
          />
        </div>
        <Checkbox
          label="It is a warning"
          hint="Warnings come before all news and have their own mark."
          checked={form.values.level === 'warning'}
          onChange={(event) => form.change({ level: event.target.checked ? 'warning' : 'news' })}
        />
        <FormActions form={form} submit={isNew ? 'Announce it' : 'Save'} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function savingFailure(error: unknown): string | undefined {
  const isFull = error instanceof ApiError && error.code === 'server_full'
  return isFull
    ? `There are ${announcementsMax} announcements already, as many as there may be. End or take back one of them first.`
    : failureText(error)
}
