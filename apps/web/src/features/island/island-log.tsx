import { leaveNote, sendSignal } from '@astropelago/contract/island-log'
import type { IslandView } from '@astropelago/contract/islands'
import { logTextMaxLength } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { islandLogQuery } from '../../islands/island-queries.ts'
import { call } from '../../lib/call.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { keptDraft } from '../../lib/kept-drafts.ts'
import { fromLocalInput } from '../../lib/local-time-input.ts'
import type { Session } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { TextAreaField, TextField } from '../../ui/text-field.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { LogLine, type Reporting } from './log-line.tsx'

export function IslandLog(props: { island: IslandView; session: Session; report: Reporting }) {
  const { island, session, report } = props
  const { id, role, mayNote } = island
  const query = useInfiniteQuery(islandLogQuery(id))
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  const readerName = session.state === 'signed-in' ? session.user.username : undefined
  return (
    <Card
      title={t`Log`}
      description={t`When it opened and closed, signals from its host, and notes from visitors.`}
    >
      {role === 'host' ? <SignalForm id={id} /> : mayNote && <NoteForm id={id} />}
      <LoadedList
        of={t`The log`}
        query={query}
        isEmpty={entries.length === 0}
        skeleton={<SkeletonRows label={t`Loading the log…`} count={4} className="h-10" />}
        empty={
          <p className="text-sm text-muted">
            <Trans>There is nothing here yet.</Trans>{' '}
            {mayNote && role !== 'host' && t`Leave the first note.`}
          </p>
        }
        more={t`Show earlier`}
      >
        <ol aria-label={t`Log`} className="flex flex-col">
          {entries.map((entry) => (
            <LogLine
              key={entry.id}
              entry={entry}
              islandId={id}
              // Readers delete their own entries instead of reporting them. Signed-out readers can't
              // report, because nobody could answer them.
              report={readerName !== undefined && entry.author !== readerName ? report : undefined}
            />
          ))}
        </ol>
      </LoadedList>
    </Card>
  )
}

const NoteDraft = v.object({ text: v.string() })

function NoteForm({ id }: { id: string }) {
  const client = useQueryClient()
  const showToast = useToast()
  const form = useApiForm({
    values: { text: '' },
    draft: keptDraft(`note.${id}`, NoteDraft),
    read: ({ text }) =>
      readBy(leaveNote.body, { text }, { text: text.trim() === '' && t`Write a few words first.` }),
    send: (body) => call(leaveNote, { params: { id }, body }),
    onSent: async () => {
      showToast({ title: t`Your note is in the log` })
      await client.invalidateQueries(islandLogQuery(id))
    },
  })
  return (
    <form {...form.wiring} className="flex flex-col gap-3">
      <TextAreaField
        label={t`Leave a note`}
        rows={2}
        maxLength={logTextMaxLength}
        {...form.text('text')}
      />
      <FormError>{form.failure}</FormError>
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        className="self-start"
        busy={form.isBusy}
        busyLabel={t`Leaving it…`}
      >
        <Trans>Leave note</Trans>
      </Button>
    </form>
  )
}

/** The time is in the format of a `datetime-local` field; empty for none. */
const SignalDraft = v.object({ text: v.string(), eventAt: v.string() })

function SignalForm({ id }: { id: string }) {
  const client = useQueryClient()
  const showToast = useToast()
  const form = useApiForm({
    values: { text: '', eventAt: '' },
    draft: keptDraft(`signal.${id}`, SignalDraft),
    read: ({ text, eventAt }) =>
      readBy(
        sendSignal.body,
        { text, eventAt: eventAt === '' ? null : (fromLocalInput(eventAt) ?? eventAt) },
        { text: text.trim() === '' && t`Write a few words first.` },
      ),
    send: (body) => call(sendSignal, { params: { id }, body }),
    onSent: async () => {
      showToast({ title: t`Your signal is sent` })
      await client.invalidateQueries(islandLogQuery(id))
    },
  })
  return (
    <form {...form.wiring} className="flex flex-col gap-3">
      <TextAreaField
        label={t`Send a signal`}
        hint={t`Everybody who may enter reads it here.`}
        rows={2}
        maxLength={logTextMaxLength}
        {...form.text('text')}
      />
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label={t`When it happens`}
          optional
          className="min-w-0 basis-60"
          type="datetime-local"
          {...form.text('eventAt')}
        />
        <Button type="submit" variant="secondary" busy={form.isBusy}>
          {form.isBusy ? t`Sending…` : t`Send signal`}
        </Button>
      </div>
      <p className="text-xs text-muted">
        <Trans>Enter the time by your own clock. Each visitor sees it by theirs.</Trans>
      </p>
      <FormError>{form.failure}</FormError>
    </form>
  )
}
