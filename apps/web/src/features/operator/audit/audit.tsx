import { listAuditEntries } from '@astropelago/contract/audit'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useSearchParams } from 'react-router'
import { call } from '../../../lib/call.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { OperatorList } from '../operator-list.tsx'
import { operatorKey } from '../operator-query.ts'
import { AuditEntries } from './audit-entries.tsx'
import { AuditFilter, type AuditFilterValues, filterOfAddress } from './audit-filter.tsx'

const pageLength = '50'

function useAuditEntries(filter: AuditFilterValues) {
  return useInfiniteQuery({
    queryKey: [operatorKey, 'audit', filter],
    queryFn: ({ pageParam, signal }) =>
      call(listAuditEntries, {
        query: { ...filter, limit: pageLength, ...(pageParam !== '' && { before: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ entries, hasMore }) =>
      hasMore ? String(entries.at(-1)?.number ?? '') : undefined,
  })
}

/** Each operator's actions, and each change of a credential. */
export function Audit() {
  const titleId = useId()
  const [parameters] = useSearchParams()
  const filter = filterOfAddress(parameters)
  const query = useAuditEntries(filter)
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? []
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="Audit log"
        description="Everything an operator has done, and every change of a password, session, token or invite, in the last 400 days."
      />
      <AuditFilter />
      <OperatorList
        of="The audit log"
        query={query}
        isEmpty={entries.length === 0}
        empty={
          <p className="text-sm text-muted">
            {isFiltered ? 'Nothing of that kind is on record.' : 'Nothing is on record yet.'}
          </p>
        }
      >
        <AuditEntries entries={entries} />
      </OperatorList>
    </Card>
  )
}
