import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { LinkButton } from '../../../lib/link-button.tsx'
import Satellite from 'virtual:icon/satellite'
import SearchX from 'virtual:icon/search-x'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { type NodeSource, useSourceState } from '../nodes/node-source.ts'
import { defaultQuery, type NodeQuery } from '../query/node-query.ts'
import { type ShownNodes, useShownRows } from '../query/shown-nodes.ts'
import type { Selection } from '../selection.ts'
import { VirtualList } from './virtual-list.tsx'

const skeletonRows = Array.from({ length: 9 }, (_, index) => index)

interface DeviceListProps {
  source: NodeSource
  shown: ShownNodes
  selection: Selection
  query: NodeQuery
  onQuery: (changes: Partial<NodeQuery>) => void
}

/** The same nodes as a table, for everybody who can't or prefers not to use the globe. */
export function DeviceList({ source, shown, selection, query, onQuery }: DeviceListProps) {
  const { phase } = useSourceState(source)
  const { listing, rows } = useShownRows(shown)
  return (
    <div className="h-full overflow-hidden rounded-control border border-line">
      {listing === undefined &&
        (phase === 'failed' ? (
          <p className="p-5 text-sm text-muted">
            <Trans>The devices could not be loaded.</Trans>
          </p>
        ) : (
          <div className="flex flex-col gap-6 p-4">
            {skeletonRows.map((row) => (
              <Skeleton key={row} className="h-5 w-full rounded-mark" />
            ))}
          </div>
        ))}
      {listing !== undefined && rows.length > 0 && (
        <VirtualList {...{ columns: listing.columns, rows, query, selection, onQuery }} />
      )}
      {listing !== undefined && rows.length === 0 && (
        <div className="p-5">
          {listing.columns.count === 0 ? (
            <EmptyState icon={<Satellite aria-hidden />} title={t`No public devices yet`}>
              <p>
                <Trans>
                  The first one shows up here, on the globe and on the map as soon as it is
                  registered.
                </Trans>
              </p>
              <LinkButton to={paths.connect()} variant="outline" size="sm">
                <Trans>Connect a device</Trans>
              </LinkButton>
            </EmptyState>
          ) : (
            <EmptyState icon={<SearchX aria-hidden />} title={t`No matching devices`}>
              <p>
                <Trans>
                  The search looks at labels and IDs. Capital letters and accents don’t matter.
                </Trans>
              </p>
              <Button variant="outline" size="sm" onClick={() => onQuery(defaultQuery)}>
                <Trans>Show all devices</Trans>
              </Button>
            </EmptyState>
          )}
        </div>
      )}
    </div>
  )
}
