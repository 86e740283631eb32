import type { DeviceToken } from '@astropelago/contract/devices'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { TimeAgo } from '../devices/time-ago.tsx'
import { useRevokeToken } from './device-tokens-query.ts'
import { failureText } from './failure-text.ts'

interface TokenItemProps {
  deviceId: string
  token: DeviceToken
  nowMs: number
}

/** One token of a device, with a revocation that asks first. */
export function TokenItem({ deviceId, token, nowMs }: TokenItemProps) {
  const [isAsking, setIsAsking] = useState(false)
  const showToast = useToast()
  const revoking = useRevokeToken(deviceId, () => showToast({ title: 'Token revoked' }))
  const keepButton = useRef<HTMLButtonElement>(null)
  const revokeButton = useRef<HTMLButtonElement>(null)

  // The button that had the focus is gone: the harmless answer takes it, and gives it back.
  const wasAsking = useRef(false)
  useEffect(() => {
    if (isAsking) keepButton.current?.focus()
    else if (wasAsking.current) revokeButton.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])

  return (
    <li className="flex min-w-0 flex-col gap-3 border-b border-line py-3.5 last:border-0">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-col gap-0.5">
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
        {!isAsking && (
          <Button
            ref={revokeButton}
            variant="outline"
            size="sm"
            aria-label={`Revoke ${token.start}`}
            onClick={() => setIsAsking(true)}
          >
            Revoke
          </Button>
        )}
      </div>
      {isAsking && (
        <fieldset className="flex flex-wrap items-center gap-3 rounded-control bg-raised p-3 text-sm">
          <legend className="sr-only">Revoke {token.start}?</legend>
          <span className="min-w-48 flex-1">
            What reports with this token stops at once. This can’t be undone.
          </span>
          <Button ref={keepButton} variant="outline" size="sm" onClick={() => setIsAsking(false)}>
            Keep it
          </Button>
          <Button
            variant="destructive"
            size="sm"
            busy={revoking.isPending}
            onClick={() => revoking.mutate(token)}
          >
            Revoke token
          </Button>
        </fieldset>
      )}
      <FormError>{revoking.isError ? failureText(revoking.error) : undefined}</FormError>
    </li>
  )
}
