import { type Figure, getStats } from '@astropelago/contract/operator'
import type { AnswerBody } from '@astropelago/contract/route'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { call } from '../../lib/call.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { AtTime } from './at-time.tsx'
import { OperatorList } from './operator-list.tsx'
import { operatorKey } from './operator-query.ts'

const pollMs = 15_000

function useStats() {
  return useQuery({
    queryKey: [operatorKey, 'stats'],
    queryFn: ({ signal }) => call(getStats, { signal }),
    refetchInterval: pollMs,
  })
}

/** How much there is of everything, as it is now. */
export function Overview() {
  const titleId = useId()
  const query = useStats()
  const { data: { figures, server } = { figures: [], server: undefined } } = query
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader id={titleId} title="Overview" description="What there is right now." />
      <OperatorList
        of="The figures"
        query={query}
        isEmpty={figures.length === 0}
        empty={<p className="text-sm text-muted">This server gives no information about itself.</p>}
      >
        <dl data-numeric className="grid grid-cols-2 gap-x-6 gap-y-7 sm:grid-cols-3">
          {groupsOf(figures).map(({ figure: { label, value }, parts }) => (
            <div key={label} className="flex min-w-0 flex-col gap-0.5">
              <dt className="order-1 text-sm text-ink">{label}</dt>
              <dd className="font-display text-heading font-semibold">
                {value.toLocaleString('en')}
              </dd>
              {parts.map((part) => (
                <dd key={part.label} className="order-1 text-xs text-muted">
                  {part.value.toLocaleString('en')} {part.label}
                </dd>
              ))}
            </div>
          ))}
        </dl>
        {server !== undefined && <ServerLine server={server} />}
      </OperatorList>
    </Card>
  )
}

/** How the server is, in a line. */
function ServerLine({ server }: { server: AnswerBody<typeof getStats>['server'] }) {
  const { version, databaseBytes, makesBackups, lastBackupAt } = server
  return (
    <p
      data-numeric
      className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-5 text-sm text-muted"
    >
      <span>Version {version}</span>
      <span>
        Database: {(databaseBytes / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} MB
      </span>
      {lastBackupAt !== null && (
        <span>
          Last backup <AtTime at={lastBackupAt} />
        </span>
      )}
      {lastBackupAt === null && (
        <span>
          {makesBackups
            ? 'There is no daily backup yet.'
            : 'No daily backups are made. To get them, set BACKUP_DIR to a folder.'}
        </span>
      )}
    </p>
  )
}

interface FigureGroup {
  readonly figure: Figure
  readonly parts: Figure[]
}

/** A figure with those that count some of it. */
function groupsOf(figures: readonly Figure[]): readonly FigureGroup[] {
  const groups: FigureGroup[] = []
  for (const figure of figures) {
    if (figure.label.startsWith('of them')) groups.at(-1)?.parts.push(figure)
    else groups.push({ figure, parts: [] })
  }
  return groups
}
