import { LinkButton } from '../lib/link-button.tsx'
import {
  type DeviceToken,
  listDeviceTokens,
  type OwnDevice,
  revokeDeviceToken,
} from '@astropelago/contract/devices'
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
        <EmptyState icon={<KeyRound aria-hidden />} title="No tokens yet">
          <p>Generate one so that the device can report by itself.</p>
        </EmptyState>
      )}
      {tokens.length > 0 && (
        <ul aria-label="Device tokens" className="flex min-w-0 flex-col border-y border-line">
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
        Generate a token
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
  const showToast = useToast()
  const revoking = useRemoval(
    deviceTokensQuery(deviceId),
    ({ id }: DeviceToken) => call(revokeDeviceToken, { params: { id } }),
    (item, { id }) => item.id !== id,
    () => showToast({ title: 'Token revoked' }),
  )
  return (
    <RemovableItem error={revoking.isError ? explain(revoking.error) : undefined}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-40 flex-col gap-0.5">
          <span className="text-sm wrap-anywhere">
            <code className="font-mono">{token.start}…</code>
            {token.label !== null && <bdi className="pl-2 text-muted">{token.label}</bdi>}
          </span>
          <span className="text-xs text-muted">
            made <TimeAgo at={token.createdAt} nowMs={nowMs} />,{' '}
            {token.lastUsedAt === null ? (
              'never used'
            ) : (
              <>
                last used <TimeAgo at={token.lastUsedAt} nowMs={nowMs} />
              </>
            )}
          </span>
        </div>
        <AskFirst
          label="Revoke"
          name={`Revoke ${token.start}`}
          keep="Keep it"
          confirm="Revoke token"
          busy={revoking.isPending}
          onConfirm={() => revoking.mutate(token)}
        >
          Whatever reports with this token stops at once. This can’t be undone.
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
