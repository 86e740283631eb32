import { listReports } from '@astropelago/contract/reports'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import Inbox from 'virtual:icon/inbox'
import { formatNumber } from '../../../language/format.ts'
import { call } from '../../../lib/call.ts'
import { paths } from '../../../paths.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { OperatorListCard } from '../operator-list-card.tsx'
import { operatorKey } from '../operator-query.ts'
import { linkStyles } from '../subject-details.tsx'
import { OpenCase, SettledCase } from './report-case.tsx'

/** New reports appear by themselves while the list is open. */
const pollMs = 30_000

function useReports(state: 'open' | 'settled') {
  return useInfiniteQuery({
    queryKey: [operatorKey, 'reports', state],
    queryFn: ({ pageParam, signal }) =>
      call(listReports, {
        query: { state, limit: '20', ...(pageParam !== '' && { after: pageParam }) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ cases, hasMore }) => (hasMore ? cases.at(-1)?.id : undefined),
    refetchInterval: pollMs,
  })
}

export function Reports() {
  const [parameters] = useSearchParams()
  const isOpen = parameters.get('state') !== 'settled'
  const query = useReports(isOpen ? 'open' : 'settled')
  const pages = query.data?.pages ?? []
  const cases = pages.flatMap((page) => page.cases)
  const openCount = pages[0]?.openCount
  const list = useFocusAfterSettling(cases.length)
  return (
    <OperatorListCard
      ref={list}
      tabIndex={-1}
      className="outline-none"
      of={t`The reports`}
      title={t`Reports`}
      description={
        isOpen ? (
          <Trans>
            Reports of the same thing are together. The newest come first.{' '}
            <Link to={paths.accountPart('alerts')} className={linkStyles}>
              Get alerts about new reports
            </Link>
          </Trans>
        ) : (
          t`What was settled in the last 90 days.`
        )
      }
      actions={
        <ul className="flex gap-1">
          <StateLink
            name={t({ message: 'Open', context: 'reports' })}
            to={paths.mothership('reports', {})}
            isCurrent={isOpen}
          >
            {openCount !== undefined && (
              <span className="ms-1.5" data-numeric>
                {formatNumber(openCount)}
              </span>
            )}
          </StateLink>
          <StateLink
            name={t`Settled`}
            to={paths.mothership('reports', { state: 'settled' })}
            isCurrent={!isOpen}
          />
        </ul>
      }
      query={query}
      isEmpty={cases.length === 0}
      empty={
        isOpen ? (
          <EmptyState icon={<Inbox aria-hidden />} title={t`Nothing is reported`}>
            <p>
              <Trans>
                When somebody reports a device, an island, a line in a log or a message in a room,
                you see it here with the reason.
              </Trans>
            </p>
          </EmptyState>
        ) : (
          <p className="text-sm text-muted">
            <Trans>Nothing was settled in the last 90 days.</Trans>
          </p>
        )
      }
    >
      <ul aria-label={isOpen ? t`Open reports` : t`Settled reports`}>
        {cases.map((one) =>
          one.settled === null ? (
            <OpenCase key={one.id} reported={one} />
          ) : (
            <SettledCase key={one.id} reported={one} settled={one.settled} />
          ),
        )}
      </ul>
    </OperatorListCard>
  )
}

function StateLink(props: { name: string; to: string; isCurrent: boolean; children?: ReactNode }) {
  const { name, to, isCurrent, children } = props
  return (
    <li>
      <Link
        to={to}
        aria-current={isCurrent ? 'true' : undefined}
        className="flex h-8 items-center rounded-control px-3 text-sm text-muted no-underline transition-colors hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:text-ink"
      >
        {name}
        {children}
      </Link>
    </li>
  )
}

/** Settling a case removes the focused button. This moves the focus back to the card. */
function useFocusAfterSettling(count: number) {
  const card = useRef<HTMLElement>(null)
  const shownCount = useRef(count)
  useEffect(() => {
    const isLost = count < shownCount.current && document.activeElement === document.body
    if (isLost) card.current?.focus({ preventScroll: true })
    shownCount.current = count
  }, [count])
  return card
}
