import { FormActions } from '../../ui/form-actions.tsx'
import { ApiKeyScope } from '@astropelago/contract/api-key-scope'
import {
  type ApiKey,
  createApiKey,
  listApiKeys,
  NewApiKey as NewApiKeyBody,
  revokeApiKey,
} from '@astropelago/contract/api-keys'
import { apiKeysPerUser } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/call.ts'
import { readBy } from '../../lib/forms/reading.ts'
import { useApiForm } from '../../lib/forms/use-api-form.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { TimeAgo } from '../../lib/time-ago.tsx'
import { useNow } from '../../lib/use-now.ts'
import { useRemoval } from '../../lib/use-removal.ts'
import { AskFirst } from '../../ui/ask-first.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { takeFocus } from '../../ui/focus.ts'
import { LocalTime } from '../../ui/local-time.tsx'
import { RemovableItem } from '../../ui/removable-item.tsx'
import { SelectField } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { accountFailure } from './account-failure.ts'

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => call(listApiKeys, { signal }),
})

/** Only the answer that creates a key contains its secret. */
type ShownApiKey = ApiKey & { readonly key: string }

const clockMs = 30_000

export function ApiKeysCard() {
  const query = useQuery(apiKeysQuery)
  const nowMs = useNow(clockMs)
  const [shown, setShown] = useState<ShownApiKey>()
  const { data: keys = [] } = query
  const isFull = keys.length >= apiKeysPerUser
  return (
    <Card
      title={t`API keys`}
      description={
        <Trans>
          For your own programs, which manage many devices or publish pages.{' '}
          <a
            href="/api/docs"
            className="text-accent underline decoration-transparent underline-offset-4 hover:decoration-current"
          >
            What they can call
          </a>
        </Trans>
      }
    >
      {query.isPending && <Skeleton className="h-16 w-full rounded-control" />}
      {keys.length > 0 && (
        <ul aria-label={t`API keys`} className="flex min-w-0 flex-col border-y border-line">
          {keys.map((key) => (
            <ApiKeyItem key={key.id} apiKey={key} nowMs={nowMs} />
          ))}
        </ul>
      )}
      <ListFailure query={query} of="keys" />
      {/* Shows a key only until it is revoked. */}
      {shown !== undefined && keys.some(({ id }) => id === shown.id) && (
        <NewKey key={shown.id} shown={shown} />
      )}
      {isFull ? (
        <p className="text-sm text-muted">
          <Trans>An account can’t have more keys than this. Revoke one to make another.</Trans>
        </p>
      ) : (
        query.isSuccess && <NewApiKey onCreated={setShown} />
      )}
    </Card>
  )
}

function NewKey({ shown }: { shown: ShownApiKey }) {
  const name = <bdi className="wrap-anywhere">{shown.name}</bdi>
  return (
    <div className="flex min-w-0 flex-col gap-3 rounded-control bg-raised p-4">
      <h3 ref={takeFocus} tabIndex={-1} className="rounded-mark text-sm font-medium">
        <Trans>Copy {name} now. It is shown only once.</Trans>
      </h3>
      <CodeBlock label={t`API key`} text={shown.key} />
      <CodeBlock label={t`Try it`} language="sh" text={exampleOf(shown)} />
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

function ApiKeyItem({ apiKey, nowMs }: { apiKey: ApiKey; nowMs: number }) {
  const { id, name, start, scopes, createdAt, lastUsedAt, expiresAt } = apiKey
  const showToast = useToast()
  const revoking = useRemoval(
    apiKeysQuery,
    (key: string) => call(revokeApiKey, { params: { id: key } }),
    (item, key) => item.id !== key,
    () => showToast({ title: t`API key revoked` }),
  )
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs
  const permissions = scopes.map((scope) => scopeNames[scope].name).join(', ')
  const timeAgo = <TimeAgo at={createdAt} nowMs={nowMs} />
  return (
    <RemovableItem error={revoking.isError ? accountFailure(revoking.error) : undefined}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-col gap-0.5">
          <span className="text-sm wrap-anywhere">
            <bdi className="font-medium">{name}</bdi>{' '}
            <code className="ps-1 font-mono text-xs text-muted">{start}…</code>
          </span>
          <span className="text-xs text-muted">
            {lastUsedAt === null ? (
              <Trans>
                {permissions} · made {timeAgo}, never used
              </Trans>
            ) : (
              <Trans>
                {permissions} · made {timeAgo}, last used <TimeAgo at={lastUsedAt} nowMs={nowMs} />
              </Trans>
            )}
          </span>
          {expiresAt !== null && (
            <span className={isOver ? 'text-xs text-danger' : 'text-xs text-muted'}>
              {isOver ? (
                <Trans>
                  Ended on <LocalTime at={expiresAt} form="day" />: it no longer works
                </Trans>
              ) : (
                <Trans>
                  Ends on <LocalTime at={expiresAt} form="day" />
                </Trans>
              )}
            </span>
          )}
        </div>
        <AskFirst
          label={t`Revoke`}
          name={t`Revoke ${name}`}
          keep={t`Keep it`}
          confirm={t`Revoke key`}
          busy={revoking.isPending}
          onConfirm={() => revoking.mutate(id)}
        >
          <Trans>Programs that use this key stop working at once. This can’t be undone.</Trans>
        </AskFirst>
      </div>
    </RemovableItem>
  )
}

const ends = [
  { value: '', name: t`Until it is revoked` },
  { value: '30', name: t`In 30 days` },
  { value: '90', name: t`In 90 days` },
  { value: '365', name: t`In a year` },
] as const

interface Values {
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  readonly days: string
}

const empty: Values = { name: '', scopes: [], days: '90' }

function NewApiKey({ onCreated }: { onCreated: (key: ShownApiKey) => void }) {
  const client = useQueryClient()
  const form = useApiForm({
    values: empty,
    read: readKey,
    send: async (body): Promise<ShownApiKey> => {
      const created = await call(createApiKey, { body })
      const { key: _, ...listed } = created
      await client.cancelQueries(apiKeysQuery)
      client.setQueryData(apiKeysQuery.queryKey, (keys) => [...(keys ?? []), listed])
      return created
    },
    onSent: onCreated,
    explain: accountFailure,
    keeps: ['scopes', 'days'],
  })
  const { scopes } = form.values
  return (
    <form {...form.wiring} aria-label={t`New API key`} className="flex flex-col gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={t`Name`} autoComplete="off" {...form.text('name')} />
        <SelectField label={t`Ends`} options={ends} {...form.text('days')} />
      </div>
      <fieldset className="flex min-w-0 flex-col gap-3">
        <legend className="mb-2.5 text-sm font-medium text-ink">
          <Trans>What it may do</Trans>
        </legend>
        {ApiKeyScope.options.toReversed().map((scope) => (
          <Checkbox
            key={scope}
            label={scopeNames[scope].name}
            hint={scopeNames[scope].hint}
            checked={scopes.includes(scope)}
            onChange={({ target }) => {
              const others = scopes.filter((other) => other !== scope)
              form.change({ scopes: target.checked ? [...others, scope] : others })
            }}
          />
        ))}
      </fieldset>
      <FormActions form={form} size="sm" submit={t`Make a key`} busy={t`Making…`} />
    </form>
  )
}

function readKey({ name, scopes, days }: Values) {
  return readBy(
    NewApiKeyBody,
    { name, scopes, expiresInDays: days === '' ? null : Number(days) },
    {
      name: name.trim() === '' && t`Give the key a name, such as the program that will use it`,
      form: scopes.length === 0 && t`Choose what the key may do`,
    },
  )
}

const scopeNames: Readonly<Record<ApiKeyScope, { name: string; hint: string }>> = {
  'devices:write': {
    name: t`Change devices`,
    hint: t`Register, change, import and delete devices, make and revoke their tokens.`,
  },
  'devices:read': {
    name: t`Read devices`,
    hint: t`List and export your devices, private ones too, with their exact places.`,
  },
  'checks:write': {
    name: t`Change checks`,
    hint: t`Create, change, pause and delete checks.`,
  },
  'checks:read': {
    name: t`Read checks`,
    hint: t`List your checks, private ones too, with what they watch and their history.`,
  },
  'pages:write': {
    name: t`Publish pages`,
    hint: t`Publish the pages of your islands, bring earlier ones back, and download them.`,
  },
  metrics: {
    name: t`Read metrics`,
    hint: t`Let Prometheus read which of your devices are up and when they were last seen.`,
  },
}
