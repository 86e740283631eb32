import type { OwnDevice } from '@astropelago/contract/devices'
import { getRelayAgent } from '@astropelago/contract/relay-agent'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import CircleCheck from 'virtual:icon/circle-check'
import KeyRound from 'virtual:icon/key-round'
import Moon from 'virtual:icon/moon'
import { relayGuides } from '../../../devices/relay-commands/relay-guides.ts'
import { SystemGuides } from '../../../devices/system-guides.tsx'
import { call } from '../../../lib/call.ts'
import { publicUrl } from '../../../lib/public-url.ts'
import { TextLink } from '../../../lib/text-link.tsx'
import { TimeAgo } from '../../../lib/time-ago.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { takeFocus } from '../../../ui/focus.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { readService, readTcp, type TypedService } from './typed-service.ts'

/** The agent's files and hashes. The block verifies its download by hash. */
const agentQuery = queryOptions({
  queryKey: ['relay-agent'],
  queryFn: ({ signal }) => call(getRelayAgent, { signal }),
})

const clockMs = 30_000

interface PasteBlockProps {
  device: OwnDevice
  islandId: string
  /** The last valid description of what to host. */
  service: TypedService
  isValid: boolean
  hasPort: boolean
  /** Created on this page. An older token can't be shown again. */
  token: string | undefined
  isConnected: boolean
  isBusy: boolean
  onMake: () => void
}

export function PasteBlock(props: PasteBlockProps) {
  const { device, token, isConnected, isBusy, onMake } = props
  const agent = useQuery(agentQuery)
  return (
    <>
      {isConnected && (
        <p className="flex items-start gap-2.5 rounded-control bg-raised px-3.5 py-2.5 text-sm">
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
          <span>
            <Trans>
              The agent is connected. To host something else, paste another block on the device. It
              replaces the agent that you started for this island before.
            </Trans>
          </span>
        </p>
      )}
      {!isConnected && device.status === 'offline' && <OfflineNote device={device} />}
      {token === undefined ? (
        <>
          <p className="text-sm text-muted">
            <Trans>
              A block is shown only once, because it contains a token that lets visitors in.
            </Trans>
          </p>
          <Button className="self-start" busy={isBusy} busyLabel={t`Preparing…`} onClick={onMake}>
            <KeyRound aria-hidden />
            <Trans>Show a block to paste</Trans>
          </Button>
        </>
      ) : (
        <>
          {agent.isPending && <Skeleton className="h-60 w-full rounded-control" />}
          {agent.isError && (
            <ErrorLine busy={agent.isFetching} onRetry={() => void agent.refetch()}>
              <Trans>The block could not be loaded.</Trans>
            </ErrorLine>
          )}
          {agent.data && <Block {...props} token={token} sha256={agent.data.sha256} />}
        </>
      )}
    </>
  )
}

interface BlockProps extends PasteBlockProps {
  token: string
  sha256: string
}

function Block({ device, islandId, service, isValid, hasPort, token, sha256 }: BlockProps) {
  return (
    <>
      {!isValid && (
        <p className="text-sm text-muted">
          <Trans>First say above what you host. Then the block appears here.</Trans>
        </p>
      )}
      {/* Stays mounted while the input is invalid, to keep the chosen tab. */}
      <div hidden={!isValid} className="flex min-w-0 flex-col gap-4">
        <p ref={takeFocus} tabIndex={-1} className="rounded-mark text-sm text-muted">
          <Trans>
            Paste this into a terminal on{' '}
            <bdi className="font-medium wrap-anywhere text-ink">{device.label}</bdi>. It needs
            Node.js and tells you if that is missing or too old. After that the agent runs by
            itself, also after a restart. The block contains a token and is shown only once. You can
            revoke the token on the <TextLink to={paths.account()}>Account</TextLink> page.
          </Trans>
        </p>
        <SystemGuides
          label={t`Ways to run the agent`}
          guides={relayGuides({
            publicUrl: publicUrl(),
            token,
            islandId,
            sha256,
            service: readService(service),
            tcp: hasPort ? readTcp(service) : undefined,
          })}
        />
      </div>
    </>
  )
}

function OfflineNote({ device: { label, lastSeenAt } }: { device: OwnDevice }) {
  const nowMs = useNow(clockMs)
  const name = <bdi className="font-medium">{label}</bdi>
  return (
    <p className="flex items-start gap-2.5 rounded-control bg-raised px-3.5 py-2.5 text-sm">
      <Moon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
      <span className="min-w-0 wrap-anywhere">
        {lastSeenAt === null ? (
          <Trans>{name} is offline. Turn it on, then paste the block there.</Trans>
        ) : (
          <Trans>
            {name} is offline, last seen <TimeAgo at={lastSeenAt} nowMs={nowMs} />. Turn it on, then
            paste the block there.
          </Trans>
        )}
      </span>
    </p>
  )
}
