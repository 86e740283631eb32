import type { DeviceToken } from '@astropelago/contract/devices'
import { AskFirst } from '../../ui/ask-first.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { TimeAgo } from '../../lib/time-ago.tsx'
import { useRevokeToken } from './device-tokens-query.ts'

interface TokenItemProps {
  deviceId: string
  token: DeviceToken
  nowMs: number
  /** Describes a failed call. */
  explain: (error: unknown) => string
}

/** A device token, with a button that asks before revoking it. */
export function TokenItem({ deviceId, token, nowMs, explain }: TokenItemProps) {
  const showToast = useToast()
  const revoking = useRevokeToken(deviceId, () => showToast({ title: 'Token revoked' }))
  return (
    <li className="flex min-w-0 flex-col gap-3 border-b border-line py-3.5 last:border-0">
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
      <FormError>{revoking.isError ? explain(revoking.error) : undefined}</FormError>
    </li>
  )
}
