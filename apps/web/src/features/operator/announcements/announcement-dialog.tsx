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
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { failureText, fieldErrors } from '../../../lib/failure-text.ts'
import { useAction } from '../operator-query.ts'
import {
  type AnnouncementDraft,
  changesOf,
  type DraftErrors,
  draftErrors,
  draftOf,
  emptyDraft,
  newAnnouncementOf,
} from './announcement-draft.ts'

interface AnnouncementDialogProps {
  /** The announcement to edit; undefined for a new one. */
  readonly announcement: Announcement | undefined
  readonly onClose: () => void
}

export function AnnouncementDialog({ announcement, onClose }: AnnouncementDialogProps) {
  const [draft, setDraft] = useState(
    announcement === undefined ? emptyDraft : draftOf(announcement),
  )
  const [found, setFound] = useState<DraftErrors>({})
  const saving = useAction({
    act: () =>
      announcement === undefined
        ? call(createAnnouncement, { body: newAnnouncementOf(draft) })
        : call(updateAnnouncement, {
            params: { id: announcement.id },
            body: changesOf(draft, announcement),
          }),
    done: () => (announcement === undefined ? 'It is announced' : 'The announcement is changed'),
    onDone: onClose,
  })
  const change = (changes: Partial<AnnouncementDraft>) => setDraft({ ...draft, ...changes })
  const errors = { ...fieldErrors(saving.error), ...found }

  const save = (event: FormEvent) => {
    event.preventDefault()
    const mistakes = draftErrors(draft, new Date())
    setFound(mistakes)
    if (Object.keys(mistakes).length === 0) saving.mutate()
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title={announcement === undefined ? 'Announce something' : 'Edit this announcement'}
      description="Everybody who visits Discover or the dashboard sees it from its start to its end. Enter times by your own clock."
    >
      <form onSubmit={save} noValidate className="flex flex-col gap-5">
        <TextField
          label="Title"
          error={errors.title}
          value={draft.title}
          maxLength={announcementTitleMaxLength}
          onChange={(text) => change({ title: text })}
        />
        <Field
          label="Text"
          optional
          hint="Plain text. Addresses that begin with https:// become links."
          error={errors.text}
        >
          {(wiring) => (
            <TextArea
              {...wiring}
              rows={5}
              value={draft.text}
              maxLength={announcementTextMaxLength}
              onChange={(event) => change({ text: event.target.value })}
            />
          )}
        </Field>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="Start"
            optional={announcement === undefined}
            hint={
              announcement === undefined ? 'If you leave this empty, it starts at once.' : undefined
            }
            error={errors.startsAt}
            type="datetime-local"
            value={draft.startsAt}
            onChange={(text) => change({ startsAt: text })}
          />
          <TextField
            label="End"
            optional
            hint="If you leave this empty, it stays until you take it back."
            error={errors.endsAt}
            type="datetime-local"
            value={draft.endsAt}
            onChange={(text) => change({ endsAt: text })}
          />
        </div>
        <Checkbox
          label="It is a warning"
          hint="Warnings come before all news and have their own mark."
          checked={draft.level === 'warning'}
          onChange={(event) => change({ level: event.target.checked ? 'warning' : 'news' })}
        />
        <FormError>{savingFailure(saving.error)}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={saving.isPending}>
            {announcement === undefined ? 'Announce it' : 'Save'}
          </Button>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function savingFailure(error: unknown): string | undefined {
  // Errors that the fields already show.
  if (Object.keys(fieldErrors(error)).length > 0) return undefined
  const isFull = error instanceof ApiError && error.code === 'server_full'
  return isFull
    ? `There are ${announcementsMax} announcements already, as many as there may be. End or take back one of them first.`
    : failureText(error)
}
