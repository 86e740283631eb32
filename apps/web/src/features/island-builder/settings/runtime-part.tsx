import { changeIslandRuntime, getIslandRuntime } from '@astropelago/contract/island-data'
import type { IslandRuntime } from '@astropelago/contract/island-data'
import type { OwnIsland } from '@astropelago/contract/islands'
import {
  islandLlmTokensMax,
  islandLlmVisitorShare,
  islandValueBytes,
  islandValueKeys,
} from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatNumber, formatPercent, formatSize } from '../../../language/format.ts'
import { call } from '../../../lib/call.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { queryKeys } from '../../../lib/query-keys.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { AwaitedSkeleton } from '../../../ui/skeleton.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useToast } from '../../../ui/use-toast.ts'

function runtimeQuery(islandId: string) {
  return queryOptions({
    queryKey: [...queryKeys.island(islandId), 'runtime'],
    queryFn: ({ signal }) => call(getIslandRuntime, { params: { id: islandId }, signal }),
  })
}

/** What the island's pages use of the platform runtime. */
export function RuntimePart({ island: { id } }: { island: Pick<OwnIsland, 'id'> }) {
  const query = useQuery(runtimeQuery(id))
  const { data: runtime, error } = query
  if (query.isPending) return <AwaitedSkeleton className="h-96 w-full rounded-card" />
  return (
    <>
      {runtime && <ValuesCard values={runtime.values} />}
      {runtime && <ModelCard islandId={id} llm={runtime.llm} />}
      {error !== null && (
        <ErrorLine query={query}>
          <Trans>What your pages use could not be loaded.</Trans>
        </ErrorLine>
      )}
    </>
  )
}

function ValuesCard({ values }: { values: IslandRuntime['values'] }) {
  const [keys, mostKeys] = [formatNumber(values.keys), formatNumber(islandValueKeys)]
  const [size, mostSize] = [formatSize(values.bytes), formatSize(islandValueBytes)]
  return (
    <Card
      title={t`Storage`}
      description={
        <Trans>
          The values that your pages keep with <code className="font-mono text-ink">spark.kv</code>,{' '}
          <code className="font-mono text-ink">spark.shared</code> and{' '}
          <code className="font-mono text-ink">spark.host</code>, for all visitors together.
        </Trans>
      }
    >
      <p data-numeric className="text-sm">
        <Trans>
          {keys} of {mostKeys} keys, {size} of {mostSize}
        </Trans>
      </p>
    </Card>
  )
}

function ModelCard({ islandId, llm }: { islandId: string; llm: IslandRuntime['llm'] }) {
  const { isConfigured, dailyTokens, usedToday } = llm
  return (
    <Card
      title={t`Language model`}
      description={
        <Trans>
          Your pages can ask it with <code className="font-mono text-ink">spark.llm</code> once you
          say how much visitors may use.
        </Trans>
      }
    >
      {!isConfigured ? (
        <p className="text-sm text-muted">
          <Trans>No language model is connected to this server.</Trans>
        </p>
      ) : (
        <>
          <p data-numeric className="text-sm">
            {dailyTokens === 0 ? (
              t`It is off.`
            ) : (
              <Trans>
                Used today: {formatNumber(usedToday)} of {formatNumber(dailyTokens)} tokens
              </Trans>
            )}
          </p>
          <BudgetForm islandId={islandId} dailyTokens={dailyTokens} />
        </>
      )}
    </Card>
  )
}

function BudgetForm({ islandId, dailyTokens }: { islandId: string; dailyTokens: number }) {
  const client = useQueryClient()
  const showToast = useToast()
  const most = formatNumber(islandLlmTokensMax)
  const share = formatPercent(islandLlmVisitorShare)
  const form = useApiForm({
    values: { llmDailyTokens: String(dailyTokens) },
    read: ({ llmDailyTokens: typed }) => {
      const isNumber = /^\d{1,15}$/.test(typed.trim())
      return readBy(
        changeIslandRuntime.body,
        { llmDailyTokens: Number(typed) },
        { llmDailyTokens: !isNumber && t`A whole number from 0 to ${most}.` },
      )
    },
    send: (body) => call(changeIslandRuntime, { params: { id: islandId }, body }),
    onSent: async (runtime) => {
      const query = runtimeQuery(islandId)
      await client.cancelQueries(query)
      client.setQueryData(query.queryKey, runtime)
      const isOff = runtime.llm.dailyTokens === 0
      showToast({ title: isOff ? t`The language model is off` : t`Budget saved` })
    },
  })
  return (
    <form {...form.wiring} aria-label={t`Language model`} className="flex flex-col gap-6">
      <TextField
        className="sm:max-w-96"
        label={t`Tokens a day`}
        hint={t`For all visitors together. One visitor may use at most ${share} of it. A question with its answer often takes 1,000. 0 turns it off.`}
        inputMode="numeric"
        autoComplete="off"
        {...form.text('llmDailyTokens')}
      />
      <FormActions form={form} size="sm" submit={t`Save`} />
    </form>
  )
}
