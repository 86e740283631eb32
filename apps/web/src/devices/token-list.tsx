import { LinkButton } from '../lib/link-button.tsx'
import {
  type DeviceToken,
  listDeviceTokens,
  type OwnDevice,
  revokeDeviceToken,
} from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import KeyRound from 'virtual:icon/key-round'
import { call } from '../lib/call.ts'
import { ListFailure } from '../lib/list-failure.tsx'
import { queryKeys } from '../lib/query-keys.ts'
import { TimeAgo } from '../lib/time-ago.tsx'
import { useNow } from '../lib/use-now.ts'
import { useRemoval } from '../lib/use-removal.ts'
import { paths } from '../paths.ts'
import { AskFirst } from '../ui/ask-first.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { RemovableItem } from '../ui/removable-item.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/use-toast.ts'

const clockMs = 5000

interface TokenListProps {
  device: Pick<OwnDevice, 'id'>
  explain: (error: unknown) => string
}

export function TokenList({ device, explain }: TokenListProps) {
  const query = useQuery(deviceTokensQuery(device.id))
  const nowMs = useNow(clockMs)
  const tokens = query.data ?? []
  return (
    <>
      {query.isPending && <Skeleton className="h-16 w-full rounded-control" />}
      {query.isSuccess && tokens.length === 0 && (
        <EmptyState icon={<KeyRound aria-hidden />} title={t`No tokens yet`}>
          <p>
            <Trans>Generate one so that the device can report by itself.</Trans>
          </p>
        </EmptyState>
      )}
      {tokens.length > 0 && (
        <ul aria-label={t`Device tokens`} className="flex min-w-0 flex-col border-y border-line">
          {tokens.map((token) => (
            <TokenItem
              key={token.id}
              deviceId={device.id}
              token={token}
              nowMs={nowMs}
              explain={explain}
            />
          ))}
        </ul>
      )}
      <ListFailure query={query} of="tokens" />
      <LinkButton
        to={paths.connectDevice(device.id)}
        variant={tokens.length > 0 ? 'outline' : 'default'}
      >
        <Trans>Generate a token</Trans>
      </LinkButton>
    </>
  )
}

interface TokenItemProps {
  deviceId: string
  token: DeviceToken
  nowMs: number
  explain: (error: unknown) => string
}

function TokenItem({ deviceId, token, nowMs, explain }: TokenItemProps) {
  const { start, label, createdAt, lastUsedAt } = token
  const showToast = useToast()
  const revoking = useRemoval(
    deviceTokensQuery(deviceId),
    ({ id }: DeviceToken) => call(revokeDeviceToken, { params: { id } }),
    (item, { id }) => item.id !== id,
    () => showToast({ title: t`Token revoked` }),
  )
  return (
    <RemovableItem error={revoking.isError ? explain(revoking.error) : undefined}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-40 flex-col gap-0.5">
          <span className="text-sm wrap-anywhere">
            <code className="font-mono">{start}…</code>
            {label !== null && <bdi className="ps-2 text-muted">{label}</bdi>}
          </span>
          <span className="text-xs text-muted">
            {lastUsedAt === null ? (
              <Trans>
                made <TimeAgo at={createdAt} nowMs={nowMs} />, never used
              </Trans>
            ) : (
              <Trans>
                made <TimeAgo at={createdAt} nowMs={nowMs} />, last used{' '}
                <TimeAgo at={lastUsedAt} nowMs={nowMs} />
              </Trans>
            )}
          </span>
        </div>
        <AskFirst
          label={t`Revoke`}
          name={t`Revoke ${start}`}
          keep={t`Keep it`}
          confirm={t`Revoke token`}
          busy={revoking.isPending}
          onConfirm={() => revoking.mutate(token)}
        >
          <Trans>Whatever reports with this token stops at once. This can’t be undone.</Trans>
        </AskFirst>
      </div>
    </RemovableItem>
  )
}

function deviceTokensQuery(deviceId: string) {
  return queryOptions({
    queryKey: [...queryKeys.device(deviceId), 'tokens'],
    queryFn: ({ signal }) => call(listDeviceTokens, { params: { id: deviceId }, signal }),
  })
}
