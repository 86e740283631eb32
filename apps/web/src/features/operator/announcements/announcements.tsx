import {
  type Announcement,
  createAnnouncement,
  deleteAnnouncement,
  listAllAnnouncements,
  updateAnnouncement,
} from '@astropelago/contract/announcements'
import {
  announcementsMax,
  announcementTextMaxLength,
  announcementTitleMaxLength,
} from '@astropelago/contract/limits'
import { useQuery } from '@tanstack/react-query'
import Megaphone from 'virtual:icon/megaphone'
import TriangleAlert from 'virtual:icon/triangle-alert'
import { ApiError } from '../../../lib/api-error.ts'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { TextAreaField, TextField } from '../../../ui/text-field.tsx'
import { ActionButton, DialogButton } from '../action-button.tsx'
import { AtTime } from '../at-time.tsx'
import { OperatorListCard } from '../operator-list-card.tsx'
import { operatorKey, useAfterAction } from '../operator-query.ts'
import { listItemStyles, SubjectName } from '../subject-details.tsx'
import {
  changesOf,
  draftOf,
  emptyDraft,
  newAnnouncementOf,
  readDraft,
} from './announcement-draft.ts'

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

interface AnnouncementDialogProps {
  /** The announcement to edit; undefined for a new one. */
  readonly announcement: Announcement | undefined
  readonly onClose: () => void
}

function AnnouncementDialog({ announcement, onClose }: AnnouncementDialogProps) {
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
