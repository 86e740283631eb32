import { type AuditEntry, listAuditEntries } from '@astropelago/contract/audit'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { call } from '../../lib/call.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Table, TableCell, TableRow } from '../../ui/table.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { verbatimInput } from '../../ui/verbatim-input.ts'
import { AtTime } from './at-time.tsx'
import { OperatorListCard } from './operator-list-card.tsx'
import { operatorKey } from './operator-query.ts'
import { UserLink } from './subject-details.tsx'

const filterFields = [
  { name: 'actor', label: t`Who`, placeholder: 'user:ada' },
  { name: 'action', label: t`What`, placeholder: 'user.disabled' },
  { name: 'subject', label: t`To whom or what`, placeholder: 'user:eve' },
] as const

type AuditFilter = Partial<Record<(typeof filterFields)[number]['name'], string>>

function filterOf(parameters: URLSearchParams): AuditFilter {
  return Object.fromEntries(
    filterFields.flatMap(({ name }) => {
      const value = parameters.get(name)?.trim().slice(0, 128) ?? ''
      return value === '' ? [] : [[name, value]]
    }),
  )
}

function useAuditEntries(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: [operatorKey, 'audit', filter],
    queryFn: ({ pageParam, signal }) =>
      call(listAuditEntries, {
        query: { ...filter, limit: '50', ...(pageParam !== '' && { before: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ entries, hasMore }) =>
      hasMore ? String(entries.at(-1)?.number ?? '') : undefined,
  })
}

export function Audit() {
  const [parameters] = useSearchParams()
  const filter = filterOf(parameters)
  const query = useAuditEntries(filter)
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  const isFiltered = Object.keys(filter).length > 0
  return (
    <OperatorListCard
      of={t`The audit log`}
      title={t`Audit log`}
      description={t`Everything an operator has done, and every change of a password, session, token or invite, in the last 400 days.`}
      // A changed address, as by the Back button, resets the form.
      filters={<FilterForm key={parameters.toString()} asked={filter} />}
      query={query}
      isEmpty={entries.length === 0}
      empty={
        <p className="text-sm text-muted">
          {isFiltered ? t`Nothing of that kind is on record.` : t`Nothing is on record yet.`}
        </p>
      }
    >
      <AuditEntries entries={entries} />
    </OperatorListCard>
  )
}

function FilterForm({ asked }: { asked: AuditFilter }) {
  const navigate = useNavigate()
  const hintId = useId()
  const [draft, setDraft] = useState<AuditFilter>(asked)
  const show = (wanted: AuditFilter) => {
    const filter = filterOf(new URLSearchParams(wanted))
    void navigate(paths.mothership('audit', filter), { preventScrollReset: true })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    show(draft)
  }
  return (
    <search>
      <form
        onSubmit={submit}
        className="grid items-end gap-4 sm:grid-cols-3 lg:grid-cols-[repeat(3,minmax(0,1fr))_auto]"
      >
        {filterFields.map(({ name, label, placeholder }) => (
          <TextField
            key={name}
            label={label}
            aria-describedby={hintId}
            maxLength={128}
            {...verbatimInput}
            placeholder={placeholder}
            value={draft[name] ?? ''}
            onChange={(text) => setDraft({ ...draft, [name]: text })}
          />
        ))}
        <div className="flex gap-2">
          <Button type="submit" variant="outline">
            <Trans>Filter</Trans>
          </Button>
          {Object.keys(asked).length > 0 && (
            <Button variant="ghost" onClick={() => show({})}>
              <Trans>Show all</Trans>
            </Button>
          )}
        </div>
        <p id={hintId} className="text-xs text-muted sm:col-span-full">
          <Trans>
            Enter whole names, such as user:ada or operator:console. For what was done, the
            beginning is enough, such as user. or password.
          </Trans>
        </p>
      </form>
    </search>
  )
}

const columns = [
  { name: t`When` },
  { name: t`Who` },
  { name: t`What` },
  { name: t`To whom or what` },
  { name: t`More` },
]

/** A table, or stacked lines if there is no room for a table. */
function AuditEntries({ entries }: { entries: readonly AuditEntry[] }) {
  const hasRoom = useMediaQuery('(min-width: 64rem)')
  if (!hasRoom) {
    return (
      <ul aria-label={t`Audit log`} className="flex flex-col">
        {entries.map((entry) => (
          <li
            key={entry.number}
            className="flex min-w-0 flex-col gap-0.5 border-b border-line py-3 text-sm first:pt-0 last:border-0"
          >
            <p className="text-xs text-muted">
              <AtTime at={entry.at} />
            </p>
            <p className="wrap-anywhere">
              <Trans>
                <span className="font-medium">{entry.action}</span> by {entry.actor}
              </Trans>
              {entry.subject !== null && (
                <>
                  {': '}
                  <Subject subject={entry.subject} />
                </>
              )}
            </p>
            <More entry={entry} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <Table caption={t`Audit log`} columns={columns}>
      {entries.map((entry) => (
        <TableRow key={entry.number}>
          <TableCell className="w-44 whitespace-nowrap text-muted">
            <AtTime at={entry.at} />
          </TableCell>
          <TableCell className="min-w-44 wrap-anywhere">{entry.actor}</TableCell>
          <TableCell className="font-medium whitespace-nowrap">{entry.action}</TableCell>
          <TableCell className="min-w-40 wrap-anywhere">
            <Subject subject={entry.subject} />
          </TableCell>
          <TableCell className="min-w-48">
            <More entry={entry} />
          </TableCell>
        </TableRow>
      ))}
    </Table>
  )
}

function Subject({ subject }: { subject: string | null }) {
  if (subject === null) return <span className="text-muted">–</span>
  const [, username] = /^user:(.*)/.exec(subject) ?? []
  return username === undefined ? subject : <UserLink username={username}>{subject}</UserLink>
}

/** The outcome, unless it is a plain success, and further details. */
function More({ entry: { outcome, code, details } }: { entry: AuditEntry }) {
  const parts = [
    ...(outcome === 'refused' ? [code === null ? t`refused` : t`refused (${code})`] : []),
    ...(outcome === 'begun' ? [t`begun; how it ended is not known`] : []),
    ...Object.entries(details ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  if (parts.length === 0) return null
  return <p className="text-xs wrap-anywhere text-muted">{parts.join(' · ')}</p>
}
