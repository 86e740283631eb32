import {
  getOperatorAlerts,
  type OperatorAlerts,
  pauseAlerts,
  resumeAlerts,
} from '@astropelago/contract/operator-alerts'
import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { formatNumber } from '../../../language/format.ts'
import { call } from '../../../lib/call.ts'
import { failureText } from '../../../lib/failure-text.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { ActionButton } from '../action-button.tsx'
import { AtTime } from '../at-time.tsx'
import { OperatorListCard } from '../operator-list-card.tsx'
import { operatorKey, overviewPollMs, useAction } from '../operator-query.ts'

export function AlertsCard() {
  const query = useQuery({
    queryKey: [operatorKey, 'alerts'],
    queryFn: ({ signal }) => call(getOperatorAlerts, { signal }),
    refetchInterval: overviewPollMs,
  })
  const { data: alerts } = query
  const resuming = useAction(() => call(resumeAlerts), t`Alerts are sent again`)
  return (
    <OperatorListCard
      of={t`The state of alerts`}
      title={t`Alerts`}
      description={t`Those of all users. You see whether they are sent, not what they say.`}
      actions={
        <>
          {alerts?.pausedAt === null && (
            <ActionButton
              label={t`Pause alerts`}
              title={t`Pause all alerts?`}
              action={t`Pause alerts`}
              act={() => call(pauseAlerts)}
              done={t`Alerts are paused`}
            >
              <Trans>
                Nobody gets an alert until you resume them. Alerts that come up meanwhile are sent
                then.
              </Trans>
            </ActionButton>
          )}
          {alerts !== undefined && alerts.pausedAt !== null && (
            <Button busy={resuming.isPending} onClick={() => resuming.mutate()}>
              <Trans>Resume alerts</Trans>
            </Button>
          )}
        </>
      }
      query={query}
      isEmpty={alerts === undefined}
      empty={undefined}
      footer={<FormError>{failureText(resuming.error)}</FormError>}
    >
      {alerts !== undefined && <AlertsState alerts={alerts} />}
    </OperatorListCard>
  )
}

const channelNames: Readonly<Record<OperatorAlerts['channels'][number]['kind'], string>> = {
  email: t`E-mail`,
  push: t`Browsers`,
  webhook: t`Webhooks`,
  ntfy: 'ntfy',
  gotify: 'Gotify',
  discord: 'Discord',
  slack: 'Slack',
  telegram: 'Telegram',
  matrix: 'Matrix',
}

function AlertsState({ alerts }: { alerts: OperatorAlerts }) {
  const { pausedAt, waiting, oldestAt, channels } = alerts
  return (
    <div className="flex min-w-0 flex-col gap-4 text-sm" data-numeric>
      <p>
        {pausedAt === null ? (
          t`Alerts are sent.`
        ) : (
          <span className="text-danger">
            <Trans>
              Paused since <AtTime at={pausedAt} />. Nobody gets an alert until you resume them.
            </Trans>
          </span>
        )}{' '}
        <span className="text-muted">
          {oldestAt === null ? (
            t`None is waiting.`
          ) : (
            <Trans>
              <Plural value={waiting} one="# is waiting" other="# are waiting" /> since{' '}
              <AtTime at={oldestAt} />.
            </Trans>
          )}
        </span>
      </p>
      {channels.length === 0 ? (
        <p className="text-muted">
          <Trans>Nobody has a channel.</Trans>
        </p>
      ) : (
        <ul aria-label={t`Channels`} className="flex flex-wrap gap-x-6 gap-y-2">
          {channels.map((channel) => (
            <li key={channel.kind} className="text-muted">
              <span className="font-medium text-ink">{channelNames[channel.kind]}</span>{' '}
              {countsOf(channel)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function countsOf(channel: OperatorAlerts['channels'][number]): string {
  const { count, failing, ended, unconfirmed } = channel
  return [
    formatNumber(count),
    failing > 0 && plural(failing, { other: '# failing' }),
    ended > 0 && plural(ended, { other: '# ended' }),
    unconfirmed > 0 && plural(unconfirmed, { other: '# unconfirmed' }),
  ]
    .filter(Boolean)
    .join(', ')
}
