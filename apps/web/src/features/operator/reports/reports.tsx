import { useEffect, useId, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import Inbox from 'virtual:icon/inbox'
import { paths } from '../../../paths.ts'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { OperatorList } from '../operator-list.tsx'
import { OpenCase, SettledCase } from './report-case.tsx'
import { type ReportState, useReports } from './reports-query.ts'

const states: readonly { readonly state: ReportState; readonly name: string }[] = [
  { state: 'open', name: 'Open' },
  { state: 'settled', name: 'Settled' },
]

const openWords = (
  <>
    Reports of the same thing are together. The newest come first.{' '}
    <Link
      to={paths.accountPart('alerts')}
      className="text-accent underline decoration-transparent underline-offset-4 hover:decoration-current"
    >
      Get alerts about new reports
    </Link>
  </>
)

/** Users' reports: open cases, or settled ones with their outcome. */
export function Reports() {
  const titleId = useId()
  const [parameters] = useSearchParams()
  const state = parameters.get('state') === 'settled' ? 'settled' : 'open'
  const query = useReports(state)
  const pages = query.data?.pages ?? []
  const cases = pages.flatMap((page) => page.cases)
  const openCount = pages[0]?.openCount
  const list = useFocusAfterSettling(cases.length)
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="Reports"
        description={state === 'open' ? openWords : 'What was settled in the last 90 days.'}
      >
        <ul className="flex gap-1">
          {states.map((one) => (
            <li key={one.state}>
              <Link
                to={paths.mothership('reports', one.state === 'open' ? {} : { state: one.state })}
                aria-current={one.state === state ? 'true' : undefined}
                className="flex h-8 items-center rounded-control px-3 text-sm text-muted no-underline transition-colors hover:bg-hover hover:text-ink aria-[current]:bg-hover aria-[current]:text-ink"
              >
                {one.name}
                {one.state === 'open' && openCount !== undefined && (
                  <span className="ml-1.5" data-numeric>
                    {openCount.toLocaleString('en')}
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </CardHeader>
      <div ref={list} tabIndex={-1} className="flex min-w-0 flex-col gap-5 outline-none">
        <OperatorList
          of="The reports"
          query={query}
          isEmpty={cases.length === 0}
          empty={state === 'open' ? <NothingOpen /> : <NothingSettled />}
        >
          <ul aria-label={state === 'open' ? 'Open reports' : 'Settled reports'}>
            {cases.map((one) =>
              one.settled === null ? (
                <OpenCase key={one.id} reported={one} />
              ) : (
                <SettledCase key={one.id} reported={one} settled={one.settled} />
              ),
            )}
          </ul>
        </OperatorList>
      </div>
    </Card>
  )
}

function NothingOpen() {
  return (
    <EmptyState icon={<Inbox aria-hidden />} title="Nothing is reported">
      <p>
        When somebody reports a device, an island or a line in a log, you see it here with the
        reason.
      </p>
    </EmptyState>
  )
}

function NothingSettled() {
  return <p className="text-sm text-muted">Nothing was settled in the last 90 days.</p>
}

/** Settling a case removes the focused button. This moves the focus back to the list. */
function useFocusAfterSettling(count: number) {
  const list = useRef<HTMLDivElement>(null)
  const shownCount = useRef(count)
  useEffect(() => {
    const isLost = count < shownCount.current && document.activeElement === document.body
    if (isLost) list.current?.focus({ preventScroll: true })
    shownCount.current = count
  }, [count])
  return list
}
