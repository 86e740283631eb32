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
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
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
      of={t`The announcements`}
      title={t`Announcements`}
      description={t`Everybody sees them on Discover under Mothership, and their titles on the dashboard.`}
      actions={
        <DialogButton
          variant="default"
          renderDialog={(close) => <AnnouncementDialog announcement={undefined} onClose={close} />}
        >
          <Trans>Announce something</Trans>
        </DialogButton>
      }
      query={query}
      isEmpty={announcements.length === 0}
      empty={
        <EmptyState icon={<Megaphone aria-hidden />} title={t`Nothing is announced`}>
          <p>
            <Trans>News, maintenance or a warning: everybody sees what you announce at once.</Trans>
          </p>
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
  const state = stateOf(announcement, nowMs)
  return (
    <li className={`${listItemStyles} py-5`}>
      <div className="flex min-w-0 flex-col gap-1">
        <h3 dir="auto" className="flex items-start gap-2 text-base font-semibold wrap-anywhere">
          {level === 'warning' && (
            <TriangleAlert aria-label={t`Warning:`} className="mt-1 size-4 shrink-0 text-danger" />
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
          {endsAt === null ? (
            <Trans>
              <span className="font-medium text-ink">{state}</span>, from <AtTime at={startsAt} />,
              until it is taken back
            </Trans>
          ) : (
            <Trans>
              <span className="font-medium text-ink">{state}</span>, from <AtTime at={startsAt} />{' '}
              until <AtTime at={endsAt} />
            </Trans>
          )}
        </p>
      </div>
      <div className="flex shrink-0 gap-2">
        <DialogButton
          size="sm"
          aria-label={t`Edit ${title}`}
          renderDialog={(close) => (
            <AnnouncementDialog announcement={announcement} onClose={close} />
          )}
        >
          <Trans>Edit</Trans>
        </DialogButton>
        <ActionButton
          label={t`Take back`}
          name={t`Take back ${title}`}
          size="sm"
          title={t`Take this announcement back?`}
          action={t`Take it back`}
          isDestructive
          act={() => call(deleteAnnouncement, { params: { id } })}
          done={t`The announcement is taken back`}
        >
          <Trans>
            <SubjectName>{title}</SubjectName> disappears for everybody at once, and its text is
            deleted. To keep the text, edit the announcement and give it an end.
          </Trans>
        </ActionButton>
      </div>
    </li>
  )
}

function stateOf({ startsAt, endsAt }: Announcement, nowMs: number): string {
  if (endsAt !== null && Date.parse(endsAt) <= nowMs) return t`Over`
  return Date.parse(startsAt) > nowMs ? t`To come` : t`Shown now`
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
      after(isNew ? t`It is announced` : t`The announcement is changed`)
      onClose()
    },
    explain: savingFailure,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      wide
      title={isNew ? t`Announce something` : t`Edit this announcement`}
      description={t`Everybody who visits Discover or the dashboard sees it from its start to its end. Enter times by your own clock.`}
    >
      <form {...form.wiring} className="flex flex-col gap-5">
        <TextField
          label={t`Title`}
          maxLength={announcementTitleMaxLength}
          {...form.text('title')}
        />
        <TextAreaField
          label={t`Text`}
          optional
          hint={t`Plain text. Addresses that begin with https:// become links.`}
          rows={5}
          maxLength={announcementTextMaxLength}
          {...form.text('text')}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label={t`Start`}
            optional={isNew}
            hint={isNew ? t`If you leave this empty, it starts at once.` : undefined}
            type="datetime-local"
            {...form.text('startsAt')}
          />
          <TextField
            label={t({ message: 'End', context: 'time' })}
            optional
            hint={t`If you leave this empty, it stays until you take it back.`}
            type="datetime-local"
            {...form.text('endsAt')}
          />
        </div>
        <Checkbox
          label={t`It is a warning`}
          hint={t`Warnings come before all news and have their own mark.`}
          checked={form.values.level === 'warning'}
          onChange={(event) => form.change({ level: event.target.checked ? 'warning' : 'news' })}
        />
        <FormActions form={form} submit={isNew ? t`Announce it` : t`Save`} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

function savingFailure(error: unknown): string | undefined {
  const isFull = error instanceof ApiError && error.code === 'server_full'
  return isFull
    ? t`There are ${announcementsMax} announcements already, as many as there may be. End or take back one of them first.`
    : failureText(error)
}
