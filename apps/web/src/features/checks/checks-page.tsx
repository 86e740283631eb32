import type { OwnCheck } from '@astropelago/contract/checks'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import Activity from 'virtual:icon/activity'
import Plus from 'virtual:icon/plus'
import Upload from 'virtual:icon/upload'
import { ownChecksQuery } from '../../checks/own-checks-query.ts'
import { formatNumber } from '../../language/format.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { isFirstLoad } from '../../lib/query-state.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { useListQuery } from '../../lib/use-query-in-address.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSearch } from '../../ui/list-search.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { CheckList } from './check-list.tsx'
import { CheckMark } from './check-mark.tsx'
import { pollMs } from './check-queries.ts'
import { checkStates, stateNames, stateOf } from './check-words.ts'
import { type ListQuery, readListQuery, selectChecks, withListQuery } from './list-query.ts'

const fetchDialog = async () => (await import('./check-dialog.tsx')).NewCheckDialog
const fetchImport = async () => (await import('./import/import-dialog.tsx')).ImportDialog

/** A shorter list can be scanned at a glance. */
const searchFrom = 11

export function ChecksPage() {
  usePageTitle(t`Checks`)
  const query = useQuery({ ...ownChecksQuery, refetchInterval: pollMs })
  const { open, dialog } = useDialog(fetchDialog)
  const { open: openImport, dialog: importDialog } = useDialog(fetchImport)
  const checks = query.data ?? []
  const add = (
    <Button onClick={() => open({})}>
      <Plus aria-hidden />
      {checks.length === 0 ? t`Create your first check` : t`New check`}
    </Button>
  )
  const bring = (
    <Button variant="outline" onClick={() => openImport({})}>
      <Upload aria-hidden />
      <Trans>Import</Trans>
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t`Checks`}
        lead={t`They watch what you host from outside, and tell you first when others can’t reach it.`}
      >
        {checks.length > 0 && (
          <>
            {add}
            {bring}
          </>
        )}
      </PageHeader>
      {checks.length > 0 ? (
        <Checks checks={checks} />
      ) : (
        query.data && <NoChecks add={add} bring={bring} />
      )}
      {isFirstLoad(query) && (
        <Card>
          <SkeletonRows label={t`Loading your checks…`} count={6} />
        </Card>
      )}
      <ListFailure query={query} of="checks" />
      {dialog}
      {importDialog}
    </>
  )
}

function NoChecks({ add, bring }: { add: ReactNode; bring: ReactNode }) {
  return (
    <EmptyState icon={<Activity aria-hidden />} title={t`No checks yet`}>
      <p>
        <Trans>
          A check opens your website, connects to a port, asks for a DNS record or reads a
          certificate, as often as you like. Or it waits for a script to report, such as your
          backup. When something is down, you get an alert.
        </Trans>
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        {add}
        {bring}
      </div>
    </EmptyState>
  )
}

function Checks({ checks }: { checks: readonly OwnCheck[] }) {
  const [query, change] = useListQuery({ read: readListQuery, write: withListQuery })
  const isFiltered = query.search.trim() !== '' || query.state !== 'all'
  const shown = selectChecks(checks, query)
  return (
    <>
      <Counts checks={checks} />
      {(checks.length >= searchFrom || isFiltered) && (
        <Filters query={query} onChange={change} count={checks.length} shownCount={shown.length} />
      )}
      <Card className="py-1! sm:py-2!">
        {shown.length === 0 ? (
          <p className="py-4 text-sm text-muted">
            <Trans>Nothing here matches your search.</Trans>
          </p>
        ) : (
          <CheckList checks={shown} />
        )}
      </Card>
    </>
  )
}

const countedStates = ['up', 'down', 'unobserved', 'paused'] as const

function Counts({ checks }: { checks: readonly OwnCheck[] }) {
  return (
    <dl data-numeric className="grid grid-cols-2 gap-x-6 gap-y-4 sm:flex sm:gap-x-12">
      {countedStates.map((state) => {
        const count = checks.filter((check) => stateOf(check) === state).length
        return (
          <div key={state} className="flex flex-col-reverse">
            <dt className="flex items-center gap-2 text-sm text-muted">
              <CheckMark state={state} className="size-3" />
              {stateNames[state]}
            </dt>
            <dd
              className={`font-display text-title font-semibold ${count === 0 ? 'text-faint' : state === 'down' ? 'text-danger' : 'text-ink'}`}
            >
              {formatNumber(count)}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

interface FiltersProps {
  query: ListQuery
  onChange: (changes: Partial<ListQuery>) => void
  count: number
  shownCount: number
}

const stateOptions = checkStates.map((value) => ({ value, name: stateNames[value] }))

function Filters({ query, onChange, count, shownCount }: FiltersProps) {
  const shown = formatNumber(shownCount)
  return (
    <ListSearch
      label={t`Search your checks`}
      placeholder={t`Name or address`}
      search={query.search}
      onSearch={(search) => onChange({ search })}
      choice={{
        label: t`Status`,
        options: [{ value: 'all', name: t`All` }, ...stateOptions],
        value: query.state,
        onChange: (state) => onChange({ state }),
      }}
    >
      {shownCount === count
        ? plural(count, { one: '# check', other: '# checks' })
        : t`${shown} of ${plural(count, { one: '# check', other: '# checks' })}`}
    </ListSearch>
  )
}
