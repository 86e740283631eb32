import { apiKeysPerUser } from '@astropelago/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ListFailure } from '../../../lib/list-failure.tsx'
import { useNow } from '../../../lib/use-now.ts'
import { ApiKeyItem } from './api-key-item.tsx'
import { apiKeysQuery, type ShownApiKey } from './api-keys-query.ts'
import { NewApiKey } from './new-api-key.tsx'

const clockMs = 30_000
const headingId = 'api-keys-heading'

/** The keys with which programs call the API as the user. */
export function ApiKeysCard() {
  const query = useQuery(apiKeysQuery)
  const nowMs = useNow(clockMs)
  const [shown, setShown] = useState<ShownApiKey>()
  const { data: keys = [] } = query
  const isFull = keys.length >= apiKeysPerUser
  return (
    <Card aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="API keys"
        description={
          <>
            For your own programs that add or manage many devices.{' '}
            <a
              href="/api/docs"
              className="text-accent underline decoration-transparent underline-offset-4 hover:decoration-current"
            >
              What they can call
            </a>
          </>
        }
      />
      {query.isPending && <Skeleton className="h-16 w-full rounded-control" />}
      {keys.length > 0 && (
        <ul aria-label="API keys" className="flex min-w-0 flex-col border-y border-line">
          {keys.map((key) => (
            <ApiKeyItem key={key.id} apiKey={key} nowMs={nowMs} />
          ))}
        </ul>
      )}
      <ListFailure query={query} of="API keys" />
      {/* Shows a key only until it is revoked. */}
      {shown !== undefined && keys.some(({ id }) => id === shown.id) && (
        <NewKey key={shown.id} shown={shown} />
      )}
      {isFull ? (
        <p className="text-sm text-muted">
          An account can’t have more keys than this. Revoke one to make another.
        </p>
      ) : (
        query.isSuccess && <NewApiKey onCreated={setShown} />
      )}
    </Card>
  )
}

/** The secret, shown only once. */
function NewKey({ shown }: { shown: ShownApiKey }) {
  const heading = useRef<HTMLHeadingElement>(null)
  // Copying the key is the next thing to do.
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-control bg-raised p-4">
      <h3 ref={heading} tabIndex={-1} className="rounded-mark text-sm font-medium">
        Copy <bdi className="wrap-anywhere">{shown.name}</bdi> now. It is shown only once.
      </h3>
      <CodeBlock label="API key" text={shown.key} />
      <CodeBlock label="Try it" language="sh" text={exampleOf(shown)} />
    </div>
  )
}

/** An example call that the key permits and that changes nothing. */
function exampleOf({ key, scopes }: ShownApiKey): string {
  const site = `${window.location.origin}/api/me`
  const lines = scopes.includes('devices:read')
    ? [`'${site}/devices.csv'`]
    : [
        "-H 'Content-Type: text/csv' --data-binary @devices.csv",
        `'${site}/devices.csv?dryRun=true'`,
      ]
  return [`curl -H 'Authorization: Bearer ${key}'`, ...lines].join(' \\\n  ')
}
