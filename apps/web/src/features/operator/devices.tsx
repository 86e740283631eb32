import { type DeviceKind, listAllDevices } from '@astropelago/contract/operator'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import SearchX from 'virtual:icon/search-x'
import { call } from '../../lib/call.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { DeviceItems } from './device-items.tsx'
import { ListFilter, SearchField, useChoiceInAddress, useSearchInAddress } from './list-filter.tsx'
import { OperatorListCard } from './operator-list-card.tsx'
import { operatorKey } from './operator-query.ts'

const kinds: Readonly<Record<DeviceKind, string>> = {
  public: 'Seen by everybody',
  private: 'Private',
  hidden: 'Hidden',
}

/** The last pages stay while others load. */
function useDevices(search: string, only: DeviceKind | undefined) {
  return useInfiniteQuery({
    queryKey: [operatorKey, 'devices', search, only],
    queryFn: ({ pageParam, signal }) =>
      call(listAllDevices, {
        query: {
          limit: '50',
          ...(search !== '' && { search }),
          ...(only !== undefined && { only }),
          ...(pageParam !== '' && { after: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ devices, hasMore }) => (hasMore ? devices.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
  })
}

/** The devices of all users, including private ones. */
export function Devices() {
  const { search, setSearch, wanted } = useSearchInAddress()
  const query = useDevices(wanted, useChoiceInAddress('only', kinds))
  const devices = query.data?.pages.flatMap((page) => page.devices) ?? []
  return (
    <OperatorListCard
      title="Devices"
      description="Every device, the newest first. Where each is stays its owner’s business."
      filters={
        <SearchField
          label="Search devices"
          placeholder="In label or owner"
          value={search}
          onChange={setSearch}
        >
          <ListFilter name="only" label="Show" without="All of them" choices={kinds} />
        </SearchField>
      }
      query={query}
      isEmpty={devices.length === 0}
      empty={
        wanted === '' ? (
          <p className="text-sm text-muted">There are none.</p>
        ) : (
          <EmptyState icon={<SearchX aria-hidden />} title="No device is called like that">
            <p>Labels and owners’ usernames are searched, without regard to case.</p>
          </EmptyState>
        )
      }
    >
      <DeviceItems name="Devices" devices={devices} />
    </OperatorListCard>
  )
}
