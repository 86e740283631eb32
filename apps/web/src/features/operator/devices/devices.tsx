import type { DeviceKind } from '@astropelago/contract/operator'
import { useId } from 'react'
import SearchX from 'virtual:icon/search-x'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ListFilter, useChoiceInAddress } from '../list-filter.tsx'
import { OperatorList } from '../operator-list.tsx'
import { SearchField } from '../search-field.tsx'
import { useSearchInAddress } from '../use-search-in-address.ts'
import { DeviceItems } from './device-items.tsx'
import { useDevices } from './devices-query.ts'

const kinds: Readonly<Record<DeviceKind, string>> = {
  public: 'Seen by everybody',
  private: 'Private',
  hidden: 'Hidden',
}

/** The devices of all users, including private ones. */
export function Devices() {
  const titleId = useId()
  const { search, setSearch, wanted } = useSearchInAddress()
  const only = useChoiceInAddress('only', kinds)
  const query = useDevices(wanted, only)
  const devices = query.data?.pages.flatMap((page) => page.devices) ?? []
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="Devices"
        description="Every device, the newest first. Where each is stays its owner’s business."
      />
      <SearchField
        label="Search devices"
        placeholder="In label or owner"
        value={search}
        onChange={setSearch}
      >
        <ListFilter name="only" label="Show" without="All of them" choices={kinds} />
      </SearchField>
      <div className="flex min-w-0 flex-col gap-5" aria-busy={query.isPlaceholderData}>
        <OperatorList
          of="The devices"
          query={query}
          isEmpty={devices.length === 0}
          empty={<NoDevices isSearched={wanted !== ''} />}
        >
          <DeviceItems name="Devices" devices={devices} />
        </OperatorList>
      </div>
    </Card>
  )
}

function NoDevices({ isSearched }: { isSearched: boolean }) {
  if (!isSearched) return <p className="text-sm text-muted">There are none.</p>
  return (
    <EmptyState icon={<SearchX aria-hidden />} title="No device is called like that">
      <p>Labels and owners’ usernames are searched, without regard to case.</p>
    </EmptyState>
  )
}
