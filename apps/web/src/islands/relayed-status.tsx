import type { OutsideCheck, OutsideResult, RelayedState } from '@astropelago/contract/island-relay'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import CircleCheck from 'virtual:icon/circle-check'
import CirclePause from 'virtual:icon/circle-pause'
import CircleX from 'virtual:icon/circle-x'
import Globe from 'virtual:icon/globe'
import PlugZap from 'virtual:icon/plug-zap'
import ServerCrash from 'virtual:icon/server-crash'
import { failureText } from '../lib/failure-text.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { ErrorLine } from '../ui/error-line.tsx'
import { FormError } from '../ui/form-error.tsx'
import { LiveRegion } from '../ui/live-region.tsx'
import { LocalTime } from '../ui/local-time.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useRelayedState } from './relay-queries.ts'

interface RelayedStatusProps {
  islandId: string
  address: string | null
  children?: ReactNode
}

export function RelayedStatus({ islandId, address, children }: RelayedStatusProps) {
  const { query, state, outside, checking } = useRelayedState(islandId)
  if (state === undefined) {
    return query.isPending ? (
      <Skeleton className="h-24 w-full rounded-control" />
    ) : (
      <ErrorLine query={query}>
        <Trans>The state of the relay could not be loaded.</Trans>
      </ErrorLine>
    )
  }
  const { condition, visits } = state
  return (
    <div className="flex w-full min-w-0 flex-col gap-3">
      <RelayConditionNote condition={condition} visits={visits}>
        {condition.state === 'gone' && children}
      </RelayConditionNote>
      {address !== null && condition.state !== 'off' && condition.state !== 'stopped' && (
        <OutsideCheckLine
          address={address}
          check={outside}
          isBusy={checking.isPending}
          failure={failureText(checking.error)}
          onCheck={() => checking.mutate()}
        />
      )}
      {query.isError && (
        <ErrorLine query={query}>
          <Trans>This could not be updated, so it may be out of date.</Trans>
        </ErrorLine>
      )}
      <LiveRegion>{`${wordsOf(condition).title}.`}</LiveRegion>
    </div>
  )
}

type Condition = RelayedState['condition']

const failures = {
  refused: {
    title: t`Connected, but your service refuses`,
    text: (service: string | null) =>
      service === null
        ? t`The agent is connected, but nothing answers at the address of your service. Start your service, or paste the block again with the right port.`
        : t`The agent is connected, but nothing answers at ${service}. Start your service, or paste the block again with the right port.`,
  },
  timeout: {
    title: t`Connected, but your service answers too slowly`,
    text: (service: string | null) =>
      service === null
        ? t`The agent is connected, but the address of your service did not answer the last request in time. Check whether your service hangs or is too busy.`
        : t`The agent is connected, but ${service} did not answer the last request in time. Check whether your service hangs or is too busy.`,
  },
  broken: {
    title: t`Connected, but your service breaks off`,
    text: (service: string | null) =>
      service === null
        ? t`The agent is connected, but the last answer of the address of your service stopped in the middle or was not valid. The log of your service may say why.`
        : t`The agent is connected, but the last answer of ${service} stopped in the middle or was not valid. The log of your service may say why.`,
  },
} as const

const others = {
  off: {
    title: t`This server has no relay`,
    text: t`Nobody can enter. The operator of this server can turn the relay on. Until then, give your island a link.`,
  },
  stopped: {
    title: t`Stopped by the operator of this server`,
    text: t`Nobody can enter through the relay. You find the reason on the island’s page.`,
  },
  never: {
    title: t`No agent is connected`,
    text: t`Nobody can enter. Your island opens when the agent runs on your device.`,
  },
  gone: {
    title: t`The agent is gone`,
    text: t`Nobody can enter. Check whether your device is on and has internet. Then the agent connects again by itself.`,
  },
  carried: {
    title: t`Visitors come in`,
    text: t`The agent is connected, and your service answers.`,
  },
} as const

interface Words {
  readonly title: string
  readonly text: string
}

function wordsOf(condition: Condition): Words {
  if (condition.state === 'failing') {
    const { title, text } = failures[condition.why]
    return { title, text: text(condition.service) }
  }
  if (condition.state === 'gone' && condition.since === null) return others.never
  return others[condition.state]
}

const marks = {
  off: CirclePause,
  stopped: CirclePause,
  gone: PlugZap,
  failing: ServerCrash,
  carried: CircleCheck,
} as const

interface RelayConditionNoteProps {
  condition: Condition
  visits: RelayedState['visits']
  children?: ReactNode
}

function RelayConditionNote({ condition, visits, children }: RelayConditionNoteProps) {
  const Mark = marks[condition.state]
  const { title, text } = wordsOf(condition)
  const { count } = visits
  const isWell = condition.state === 'carried'
  const since = 'since' in condition ? condition.since : null
  return (
    <div
      className={classNames(
        'flex min-w-0 items-start gap-3 rounded-control border px-4 py-3 text-sm',
        isWell ? 'border-accent/40 bg-accent-soft' : 'border-danger/40 bg-raised',
      )}
    >
      <Mark
        aria-hidden
        className={classNames('mt-0.5 size-4 shrink-0', isWell ? 'text-accent' : 'text-danger')}
      />
      <div className="flex min-w-0 flex-col items-start gap-1.5">
        <p className="font-medium text-ink">
          {title}
          {since !== null && (
            <span className="font-normal text-muted">
              {' '}
              <Trans>
                since <LocalTime at={since} />
              </Trans>
            </span>
          )}
        </p>
        <p className="text-muted wrap-anywhere">{text}</p>
        {isWell && (
          <p className="text-muted">
            <Trans>
              <span data-numeric>
                <Plural value={count} one="# request" other="# requests" />
              </span>{' '}
              of visitors since <LocalTime at={visits.since} />.
            </Trans>
          </p>
        )}
        {children}
      </div>
    </div>
  )
}

/** By the host name that was requested. */
const reasons: Readonly<Record<Exclude<OutsideResult, 'opened'>, (host: string) => string>> = {
  'no-name': (host) =>
    t`Nobody can find ${host} on the internet. The operator of this server has to add the name to the DNS.`,
  certificate: (host) =>
    t`${host} has no valid certificate. The operator of this server has to get one.`,
  unreachable: (host) =>
    t`The server could not connect to ${host}. Some routers don’t let devices at home open their own public address. Try it from a phone without Wi-Fi.`,
  'no-answer': (host) => t`${host} did not answer within 10 seconds.`,
  'another-server': (host) =>
    t`Something else answers at ${host}. The operator of this server has to point that name to it.`,
  'no-agent': () => t`Its address leads here, but no agent is connected.`,
  refused: () => t`Its address leads here and the agent is connected, but your service refuses.`,
  timeout: () =>
    t`Its address leads here and the agent is connected, but your service answers too slowly.`,
  broken: () =>
    t`Its address leads here and the agent is connected, but your service breaks off its answers.`,
}

interface OutsideCheckLineProps {
  address: string
  check: OutsideCheck | null
  isBusy: boolean
  failure: string | undefined
  onCheck: () => void
}

function OutsideCheckLine(props: OutsideCheckLineProps) {
  const { address, check, isBusy, failure, onCheck } = props
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-control border border-line bg-panel/60 px-4 py-3 text-sm">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <output className="flex min-w-0 flex-1 basis-56 items-start gap-3">
          <Result address={address} check={check} isBusy={isBusy} />
        </output>
        <Button variant="outline" size="sm" busy={isBusy} onClick={onCheck}>
          {isBusy ? t`Checking…` : check === null ? t`Check now` : t`Check again`}
        </Button>
      </div>
      <FormError>{isBusy ? undefined : failure}</FormError>
    </div>
  )
}

function Result(props: Pick<OutsideCheckLineProps, 'address' | 'check' | 'isBusy'>) {
  const { address, check, isBusy } = props
  const { host, hostname } = new URL(address)
  // Each computer resolves such a name to itself.
  const isLocal = hostname.endsWith('.localhost')
  const from = isLocal ? t`Opened from this computer` : t`Opened from outside`
  if (check === null) {
    return (
      <>
        <Globe aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere text-muted">
          {isBusy ? t`Opening ${host} as a visitor would…` : t`${from}: not tried yet`}
        </span>
      </>
    )
  }
  const isOpened = check.result === 'opened'
  const time = (
    <span className="text-muted">
      , <LocalTime at={check.at} />
    </span>
  )
  const Mark = isOpened ? CircleCheck : CircleX
  return (
    <>
      <Mark
        aria-hidden
        className={`mt-0.5 size-4 shrink-0 ${isOpened ? 'text-accent' : 'text-danger'}`}
      />
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="text-ink">
          {isOpened ? (
            <Trans>
              {from}: <strong className="font-medium">yes</strong>
              {time}
            </Trans>
          ) : (
            <Trans>
              {from}: <strong className="font-medium">no</strong>
              {time}
            </Trans>
          )}
        </span>
        {check.result !== 'opened' && (
          <span className="text-muted wrap-anywhere">{reasons[check.result](host)}</span>
        )}
        {isOpened && isLocal && (
          <span className="text-muted">
            <Trans>Its address only works on this computer.</Trans>
          </span>
        )}
      </span>
    </>
  )
}
