import { type Figure, getStats } from '@astropelago/contract/operator'
import type { AnswerBody } from '@astropelago/contract/route'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatDecimal, formatNumber } from '../../../language/format.ts'
import { call } from '../../../lib/call.ts'
import { paths } from '../../../paths.ts'
import { AtTime } from '../at-time.tsx'
import { OperatorListCard } from '../operator-list-card.tsx'
import { operatorKey, overviewPollMs } from '../operator-query.ts'
import { AlertsCard } from './alerts-card.tsx'
import { HealthCard } from './health-card.tsx'

/** The label of each figure, and the list that it counts. Others have the server’s label. */
const known: ReadonlyMap<string, readonly [label: string, list?: string]> = new Map([
  ['users', [t`Users`, paths.mothership('users')]],
  ['users.demo', [t`of them demo users`, paths.mothership('users', { only: 'demo' })]],
  ['users.disabled', [t`of them turned off`, paths.mothership('users', { only: 'disabled' })]],
  ['sessions', [t`Sessions`, paths.mothership('users', { sort: 'last-seen' })]],
  ['devices', [t`Devices`, paths.mothership('devices')]],
  [
    'devices.public',
    [t`of them seen by everybody`, paths.mothership('devices', { only: 'public' })],
  ],
  [
    'devices.hidden',
    [t`of them hidden by operators`, paths.mothership('devices', { only: 'hidden' })],
  ],
  ['devices.tokens', [t`Device tokens`]],
  ['islands', [t`Islands`, paths.mothership('islands')]],
  ['islands.drafts', [t`of them drafts`, paths.mothership('islands', { only: 'drafts' })]],
  ['islands.listed', [t`of them listed`, paths.mothership('islands', { only: 'listed' })]],
  [
    'islands.unlisted',
    [t`of them by link or membership alone`, paths.mothership('islands', { only: 'unlisted' })],
  ],
  ['islands.hidden', [t`of them hidden`, paths.mothership('islands', { only: 'hidden' })]],
  ['islands.members', [t`Members of islands`]],
  ['reports.open', [t`Open reports`, paths.mothership('reports')]],
  ['announcements', [t`Announcements`, paths.mothership('announcements')]],
])

export function Overview() {
  const query = useQuery({
    queryKey: [operatorKey, 'stats'],
    queryFn: ({ signal }) => call(getStats, { signal }),
    refetchInterval: overviewPollMs,
  })
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Figures query={query} />
      <HealthCard health={query.data?.server.health} />
      <AlertsCard />
    </div>
  )
}

function Figures({ query }: { query: UseQueryResult<AnswerBody<typeof getStats>> }) {
  const { data: { figures, server } = { figures: [], server: undefined } } = query
  return (
    <OperatorListCard
      of={t`The figures`}
      title={t`Overview`}
      description={t`What there is right now.`}
      query={query}
      isEmpty={figures.length === 0}
      empty={
        <p className="text-sm text-muted">
          <Trans>This server gives no information about itself.</Trans>
        </p>
      }
    >
      <dl data-numeric className="grid grid-cols-2 gap-x-6 gap-y-7 sm:grid-cols-3">
        {groupsOf(figures).map(({ figure, parts }) => (
          <div key={figure.name} className="flex min-w-0 flex-col gap-0.5">
            <dt className="order-1 text-sm text-ink">{labelOf(figure)}</dt>
            <dd className="font-display text-heading font-semibold">
              <ToList figure={figure} name={`${labelOf(figure)}: ${numberOf(figure)}`}>
                {numberOf(figure)}
              </ToList>
            </dd>
            {parts.map((part) => (
              <dd key={part.name} className="order-1 text-xs text-muted">
                <ToList figure={part}>{`${numberOf(part)} ${labelOf(part)}`}</ToList>
              </dd>
            ))}
          </div>
        ))}
      </dl>
      {server !== undefined && <ServerLine server={server} />}
    </OperatorListCard>
  )
}

/** A figure, as a link if there is a list of what it counts. */
function ToList({ figure, name, children }: { figure: Figure; name?: string; children: string }) {
  const [, list] = known.get(figure.name) ?? []
  if (list === undefined) return children
  return (
    <Link
      to={list}
      aria-label={name}
      className="text-inherit underline decoration-line-strong underline-offset-4 transition-colors hover:text-accent hover:decoration-current"
    >
      {children}
    </Link>
  )
}

function labelOf({ name, label }: Figure): string {
  return known.get(name)?.[0] ?? label
}

function numberOf({ value }: Figure): string {
  return formatNumber(value)
}

function ServerLine({ server }: { server: AnswerBody<typeof getStats>['server'] }) {
  const { version, databaseBytes, makesBackups, lastBackupAt } = server
  const megabytes = formatDecimal(databaseBytes / 1e6)
  return (
    <p
      data-numeric
      className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-5 text-sm text-muted"
    >
      <span>
        <Trans>Version {version}</Trans>
      </span>
      <span>
        <Trans>Database: {megabytes} MB</Trans>
      </span>
      {lastBackupAt !== null && (
        <span>
          <Trans>
            Last backup <AtTime at={lastBackupAt} />
          </Trans>
        </span>
      )}
      {lastBackupAt === null && (
        <span>
          {makesBackups
            ? t`There is no daily backup yet.`
            : t`No daily backups are made. To get them, set BACKUP_DIR to a folder.`}
        </span>
      )}
    </p>
  )
}

/** Each figure with the figures that count parts of it. */
function groupsOf(figures: readonly Figure[]) {
  const groups: { readonly figure: Figure; readonly parts: Figure[] }[] = []
  for (const figure of figures) {
    if (figure.label.startsWith('of them')) groups.at(-1)?.parts.push(figure)
    else groups.push({ figure, parts: [] })
  }
  return groups
}
