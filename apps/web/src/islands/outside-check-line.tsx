import type { OutsideCheck, OutsideResult } from '@astropelago/contract/island-relay'
import CircleCheck from 'virtual:icon/circle-check'
import CircleX from 'virtual:icon/circle-x'
import Globe from 'virtual:icon/globe'
import { Button } from '../ui/button.tsx'
import { FormError } from '../ui/form-error.tsx'
import { LocalTime } from '../ui/local-time.tsx'

/** What failed, by the host name that was requested. */
const reasons: Readonly<Record<Exclude<OutsideResult, 'opened'>, (host: string) => string>> = {
  'no-name': (host) =>
    `Nobody can find ${host} on the internet. The operator of this server has to add the name to the DNS.`,
  certificate: (host) =>
    `${host} has no valid certificate. The operator of this server has to get one.`,
  unreachable: (host) =>
    `The server could not connect to ${host}. Some routers don’t let devices at home open their own public address. Try it from a phone without Wi-Fi.`,
  'no-answer': (host) => `${host} did not answer within 10 seconds.`,
  'another-server': (host) =>
    `Something else answers at ${host}. The operator of this server has to point that name to it.`,
  'no-agent': () => 'Its address leads here, but no agent is connected.',
  refused: () => 'Its address leads here and the agent is connected, but your service refuses.',
  timeout: () =>
    'Its address leads here and the agent is connected, but your service answers too slowly.',
  broken: () =>
    'Its address leads here and the agent is connected, but your service breaks off its answers.',
}

interface OutsideCheckLineProps {
  address: string
  /** The latest check; null if there was none. */
  check: OutsideCheck | null
  isBusy: boolean
  /** Why the latest check could not run. */
  failure: string | undefined
  onCheck: () => void
}

/** Whether an island's public address can be reached from outside, with a button to check now. */
export function OutsideCheckLine(props: OutsideCheckLineProps) {
  const { address, check, isBusy, failure, onCheck } = props
  return (
    <div className="flex min-w-0 flex-col gap-2 rounded-control border border-line bg-panel/60 px-4 py-3 text-sm">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <output className="flex min-w-0 flex-1 basis-56 items-start gap-3">
          <Result address={address} check={check} isBusy={isBusy} />
        </output>
        <Button variant="outline" size="sm" busy={isBusy} onClick={onCheck}>
          {isBusy ? 'Checking…' : check === null ? 'Check now' : 'Check again'}
        </Button>
      </div>
      <FormError>{isBusy ? undefined : failure}</FormError>
    </div>
  )
}

function Result({
  address,
  check,
  isBusy,
}: Pick<OutsideCheckLineProps, 'address' | 'check' | 'isBusy'>) {
  const { host, hostname } = new URL(address)
  // Each computer resolves such a name to itself.
  const isLocal = hostname.endsWith('.localhost')
  const from = isLocal ? 'Opened from this computer' : 'Opened from outside'
  if (check === null) {
    return (
      <>
        <Globe aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <span className="min-w-0 wrap-anywhere text-muted">
          {isBusy ? `Opening ${host} as a visitor would…` : `${from}: not tried yet`}
        </span>
      </>
    )
  }
  const isOpened = check.result === 'opened'
  const Mark = isOpened ? CircleCheck : CircleX
  return (
    <>
      <Mark
        aria-hidden
        className={`mt-0.5 size-4 shrink-0 ${isOpened ? 'text-accent' : 'text-danger'}`}
      />
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="text-ink">
          {from}: <strong className="font-medium">{isOpened ? 'yes' : 'no'}</strong>
          <span className="text-muted">
            , <LocalTime at={check.at} />
          </span>
        </span>
        {check.result !== 'opened' && (
          <span className="text-muted wrap-anywhere">{reasons[check.result](host)}</span>
        )}
        {isOpened && isLocal && (
          <span className="text-muted">Its address only works on this computer.</span>
        )}
      </span>
    </>
  )
}
