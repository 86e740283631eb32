import { deleteLogEntry, type LogEntry } from '@astropelago/contract/island-log'
import type { ReportKind } from '@astropelago/contract/reports'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { islandLogQuery } from '../../islands/island-queries.ts'
import { HiddenNote, logEntryIcons, LogEntryText } from '../../islands/log-entry.tsx'
import { call } from '../../lib/call.ts'
import { failureText } from '../../lib/failure-text.ts'
import { AskFirst } from '../../ui/ask-first.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FormError } from '../../ui/form-error.tsx'
import { LocalTime } from '../../ui/local-time.tsx'

/** Opens the dialog to report something to the operator. */
export type Reporting = (subject: {
  readonly kind: ReportKind
  readonly id: string
  readonly name: string
}) => void

interface LogLineProps {
  entry: LogEntry
  islandId: string
  /** Undefined if the reader can't report entries or wrote this one. */
  report: Reporting | undefined
}

export function LogLine({ entry, islandId, report }: LogLineProps) {
  const { id, kind, at, text, mayDelete, hidden } = entry
  const Icon = logEntryIcons[kind]
  const isWritten = kind === 'signal' || kind === 'note'
  return (
    <li className="flex min-w-0 gap-3.5 border-b border-line py-3.5 first:pt-0 last:border-0 last:pb-0">
      <Icon
        aria-hidden
        strokeWidth={1.75}
        className={classNames(
          'mt-0.5 size-4.5 shrink-0',
          kind === 'signal' ? 'text-island' : kind === 'opened' ? 'text-accent' : 'text-muted',
        )}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="flex flex-wrap items-baseline gap-x-2.5 text-sm">
          <span className="min-w-0 wrap-anywhere text-ink">
            <Happening entry={entry} />
          </span>
          <span className="text-xs text-muted">
            <LocalTime at={at} />
          </span>
        </p>
        <LogEntryText entry={entry} />
        {hidden !== null && <HiddenNote reason={hidden.reason} />}
        {isWritten && (mayDelete || report) && (
          <div className="-ms-3 flex flex-wrap items-center">
            {mayDelete && <DeleteLine entry={entry} islandId={islandId} />}
            {report && (
              <Button
                variant="ghost"
                size="sm"
                className="text-muted!"
                aria-label={buttonNames(entry).report}
                onClick={() => report({ kind: 'log-entry', id, name: text ?? '' })}
              >
                <Trans>Report</Trans>
              </Button>
            )}
          </div>
        )}
      </div>
    </li>
  )
}

function Happening({ entry: { kind, author, authorAvatar } }: { entry: LogEntry }) {
  const who = author !== null && (
    <span className="inline-flex min-w-0 items-center gap-1.5 align-bottom">
      <Avatar username={author} image={authorAvatar} hue={null} size="small" />
      <bdi className="font-medium">{author}</bdi>
    </span>
  )
  switch (kind) {
    case 'opened':
      return t`The island opened`
    case 'closed':
      return t`The island closed`
    case 'joined':
      return who ? <Trans>{who} joined</Trans> : t`Somebody joined`
    case 'signal':
      return who ? <Trans>{who} signals</Trans> : t`Its host signals`
    case 'note':
  }
  return who || t`Somebody`
}

function buttonNames({ kind, author }: LogEntry) {
  if (kind === 'signal') {
    return author === null
      ? { report: t`Report the signal`, remove: t`Delete the signal` }
      : { report: t`Report the signal by ${author}`, remove: t`Delete the signal by ${author}` }
  }
  return author === null
    ? { report: t`Report the note`, remove: t`Delete the note` }
    : { report: t`Report the note by ${author}`, remove: t`Delete the note by ${author}` }
}

function DeleteLine({ entry, islandId }: { entry: LogEntry; islandId: string }) {
  const client = useQueryClient()
  const deleting = useMutation({
    mutationFn: () => call(deleteLogEntry, { params: { id: entry.id } }),
    onSuccess: () => client.invalidateQueries(islandLogQuery(islandId)),
  })
  return (
    <>
      <AskFirst
        label={t`Delete`}
        variant="ghost"
        name={buttonNames(entry).remove}
        keep={t`Keep it`}
        confirm={t`Delete it`}
        busy={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      >
        <Trans>It is deleted for everybody. This can’t be undone.</Trans>
      </AskFirst>
      <FormError>{failureText(deleting.error)}</FormError>
    </>
  )
}
