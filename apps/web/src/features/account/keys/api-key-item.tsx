import type { ApiKey } from '@astropelago/contract/api-keys'
import { AskFirst } from '../../../ui/ask-first.tsx'
import { FormError } from '../../../ui/form-error.tsx'
import { useToast } from '../../../ui/use-toast.ts'
import { LocalTime } from '../../../ui/local-time.tsx'
import { TimeAgo } from '../../../lib/time-ago.tsx'
import { accountFailure } from '../account-failure.ts'
import { useRevokeApiKey } from './api-keys-query.ts'
import { scopeNames } from './scope-names.ts'

interface ApiKeyItemProps {
  apiKey: ApiKey
  nowMs: number
}

/** One key, with a confirmation before it is revoked. */
export function ApiKeyItem({ apiKey, nowMs }: ApiKeyItemProps) {
  const { id, name, start, scopes, createdAt, lastUsedAt, expiresAt } = apiKey
  const showToast = useToast()
  const revoking = useRevokeApiKey(() => showToast({ title: 'API key revoked' }))
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs
  return (
    <li className="flex min-w-0 flex-col gap-3 border-b border-line py-3.5 last:border-0">
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-col gap-0.5">
          <span className="text-sm wrap-anywhere">
            <bdi className="font-medium">{name}</bdi>{' '}
            <code className="pl-1 font-mono text-xs text-muted">{start}…</code>
          </span>
          <span className="text-xs text-muted">
            {scopes.map((scope) => scopeNames[scope].name).join(', ')} · made{' '}
            <TimeAgo at={createdAt} nowMs={nowMs} />,{' '}
            {lastUsedAt === null ? (
              'never used'
            ) : (
              <>
                last used <TimeAgo at={lastUsedAt} nowMs={nowMs} />
              </>
            )}
          </span>
          {expiresAt !== null && (
            <span className={isOver ? 'text-xs text-danger' : 'text-xs text-muted'}>
              {isOver ? 'Ended on ' : 'Ends on '}
              <LocalTime at={expiresAt} form="day" />
              {isOver && ': it no longer works'}
            </span>
          )}
        </div>
        <AskFirst
          label="Revoke"
          name={`Revoke ${name}`}
          keep="Keep it"
          confirm="Revoke key"
          busy={revoking.isPending}
          onConfirm={() => revoking.mutate(id)}
        >
          Programs that use this key stop working at once. This can’t be undone.
        </AskFirst>
      </div>
      <FormError>{revoking.isError ? accountFailure(revoking.error) : undefined}</FormError>
    </li>
  )
}
