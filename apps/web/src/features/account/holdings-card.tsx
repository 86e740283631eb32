import {
  deleteIslandHolding,
  exportIslandHolding,
  type IslandHolding,
  listIslandHoldings,
} from '@astropelago/contract/island-data'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Download from 'virtual:icon/download'
import TreePalm from 'virtual:icon/tree-palm'
import { formatList, formatSize } from '../../language/format.ts'
import { call } from '../../lib/call.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { NameLink } from '../../lib/name-link.tsx'
import { saveFile } from '../../lib/save-file.ts'
import { useRemoval } from '../../lib/use-removal.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { AskFirst } from '../../ui/ask-first.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { RemovableItem } from '../../ui/removable-item.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/use-toast.ts'
import { accountFailure } from './account-failure.ts'
import { ownDataQuery } from './own-data-card.tsx'

const holdingsQuery = queryOptions({
  queryKey: ['island-holdings'],
  queryFn: ({ signal }) => call(listIslandHoldings, { signal }),
})

export function HoldingsCard() {
  const query = useQuery(holdingsQuery)
  const { data: holdings = [] } = query
  return (
    <ListCard
      title={t`What islands hold of you`}
      description={t`Messages that you wrote in rooms of islands, and values that their pages store for you.`}
      of={t`What islands hold of you`}
      query={query}
      isEmpty={holdings.length === 0}
      skeleton={<Skeleton className="h-20 w-full rounded-control" />}
      empty={
        <EmptyState icon={<TreePalm aria-hidden />} title={t`Islands hold nothing of you`}>
          <Trans>
            As soon as you write something on an island’s pages, you can see and delete it here.
          </Trans>
        </EmptyState>
      }
      failure={<ListFailure query={query} of="holdings" />}
    >
      <ul
        aria-label={t`What islands hold of you`}
        className="flex min-w-0 flex-col border-y border-line"
      >
        {holdings.map((holding) => (
          <HoldingItem key={holding.island.id} holding={holding} />
        ))}
      </ul>
    </ListCard>
  )
}

function HoldingItem({ holding }: { holding: IslandHolding }) {
  const { id, slug } = holding.island
  const name = holding.island.name ?? t`An island that you can’t see any more`
  const { username } = useUser()
  const client = useQueryClient()
  const showToast = useToast()
  const exporting = useMutation({
    mutationFn: () => call(exportIslandHolding, { params: { id } }),
    onSuccess: (data) =>
      saveFile(
        `astropelago-${username}-${slug ?? id}.json`,
        `${JSON.stringify(data, null, 2)}\n`,
        'application/json',
      ),
    gcTime: 0,
  })
  const deleting = useRemoval(
    holdingsQuery,
    (removed: string) => call(deleteIslandHolding, { params: { id: removed } }),
    ({ island }, removed) => island.id !== removed,
    () => {
      showToast({ title: t`${name} holds nothing of you any more` })
      void client.invalidateQueries(ownDataQuery)
    },
  )
  const failure = deleting.error ?? exporting.error
  return (
    <RemovableItem error={failure === null ? undefined : accountFailure(failure)}>
      <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-40 flex-col gap-0.5 text-sm wrap-anywhere">
          {slug === null ? name : <NameLink to={paths.island(slug)}>{name}</NameLink>}
          <span className="text-xs text-muted" data-numeric>
            {amountOf(holding)}
          </span>
        </div>
        <Button
          variant="outline"
          size="sm"
          aria-label={t`Download what ${name} holds of you`}
          busy={exporting.isPending}
          busyLabel={t`Preparing…`}
          onClick={() => exporting.mutate()}
        >
          <Download aria-hidden />
          <Trans>Download</Trans>
        </Button>
        <AskFirst
          label={t`Delete`}
          name={t`Delete what ${name} holds of you`}
          keep={t`Keep it`}
          confirm={t`Delete it`}
          busy={deleting.isPending}
          onConfirm={() => deleting.mutate(id)}
        >
          <Trans>
            Your messages and values there are deleted for everybody. This can’t be undone.
          </Trans>
        </AskFirst>
      </div>
    </RemovableItem>
  )
}

/** '2 values (1.2 kB) and 3 messages' */
function amountOf({ values, valueBytes, messages }: IslandHolding): string {
  const valueCount = plural(values, { one: '# value', other: '# values' })
  const messageCount = plural(messages, { one: '# message', other: '# messages' })
  return formatList([
    ...(values > 0 ? [`${valueCount} (${formatSize(valueBytes)})`] : []),
    ...(messages > 0 ? [messageCount] : []),
  ])
}
