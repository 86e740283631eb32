import { LinkButton } from '../../lib/link-button.tsx'
import type { OwnDevice } from '@astropelago/contract/devices'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import Satellite from 'virtual:icon/satellite'
import { useOwnStrips } from '../../devices/device-queries.ts'
import { useDeviceDialog } from '../../devices/use-device-dialog.tsx'
import { formatNumber } from '../../language/format.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { FeedMark } from '../../lib/live-feed/feed-mark.tsx'
import { useNow } from '../../lib/use-now.ts'
import { useListQuery } from '../../lib/use-query-in-address.ts'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSearch } from '../../ui/list-search.tsx'
import { accountFailure } from './account-failure.ts'
import { DeviceList } from './device-list.tsx'
import {
  type DeviceQuery,
  type DeviceSort,
  deviceSorts,
  readDeviceQuery,
  selectDevices,
  withDeviceQuery,
} from './device-query.ts'

const clockMs = 5000
/** A shorter list can be scanned at a glance. */
const searchFrom = 10

export function OwnDevices({ query }: { query: UseQueryResult<OwnDevice[]> }) {
  const [deviceQuery, changeDeviceQuery] = useListQuery({
    read: readDeviceQuery,
    write: withDeviceQuery,
  })
  const nowMs = useNow(clockMs)
  const strips = useOwnStrips()
  const { open, dialog } = useDeviceDialog({ explain: accountFailure })
  const section = useFocusAfterRemoval(query.data)
  const failure = <ListFailure query={query} of="devices" />
  const { data: devices = [] } = query
  const shown = selectDevices(devices, deviceQuery)
  const isSearched = deviceQuery.search.trim() !== ''
  const listOf = (visibility: OwnDevice['visibility']) => ({
    strips,
    nowMs,
    onAction: open,
    devices: shown.filter((device) => device.visibility === visibility),
    isNoneFound: isSearched && devices.some((device) => device.visibility === visibility),
  })

  return (
    <div ref={section} tabIndex={-1} className="flex min-w-0 flex-col gap-6 outline-none">
      {(devices.length >= searchFrom || isSearched) && (
        <DeviceSearch
          query={deviceQuery}
          onChange={changeDeviceQuery}
          shownCount={shown.length}
          count={devices.length}
        />
      )}
      <DeviceSection
        title={t`Your Public Devices`}
        description={t`On the globe and the map, for everyone to see.`}
        empty={query.data === undefined ? failure : <NoPublicDevices />}
        {...listOf('public')}
      />
      <DeviceSection
        title={t`Your Private Devices`}
        description={t`Only you see them. They are in no public list.`}
        empty={
          query.data && (
            <p className="text-sm text-muted">
              <Trans>
                No private devices yet. A device that you register as Private is listed here.
              </Trans>
            </p>
          )
        }
        {...listOf('private')}
      />
      {query.data !== undefined && failure}
      <FeedMark />
      {dialog}
    </div>
  )
}

function NoPublicDevices() {
  return (
    <EmptyState icon={<Satellite aria-hidden />} title={t`No public devices yet`}>
      <p>
        <Trans>Register one below, or use Connect, which guides you to its first heartbeat.</Trans>
      </p>
      <LinkButton to={paths.connect()} variant="outline" size="sm">
        <Trans>Connect a device</Trans>
      </LinkButton>
    </EmptyState>
  )
}

/** Deleting a device removes the focused button with its row. This moves the focus back to the lists. */
function useFocusAfterRemoval(devices: readonly OwnDevice[] | undefined) {
  const section = useRef<HTMLDivElement>(null)
  const count = devices?.length ?? 0
  const shownCount = useRef(count)
  useEffect(() => {
    const isLost = count < shownCount.current && document.activeElement === document.body
    if (isLost) section.current?.focus({ preventScroll: true })
    shownCount.current = count
  }, [count])
  return section
}

interface DeviceSectionProps extends ComponentProps<typeof DeviceList> {
  description: string
  empty: ReactNode
  /** Whether devices exist but none match the search. */
  isNoneFound: boolean
}

function DeviceSection({ description, empty, isNoneFound, ...list }: DeviceSectionProps) {
  const none = isNoneFound ? (
    <p className="text-sm text-muted">
      <Trans>Nothing here matches your search.</Trans>
    </p>
  ) : (
    empty
  )
  return (
    <Card title={list.title} description={description}>
      {list.devices.length === 0 ? none : <DeviceList {...list} />}
    </Card>
  )
}

const sortNames: Readonly<Record<DeviceSort, string>> = {
  registered: t`As registered`,
  label: t`Label, A to Z`,
  status: t`Status, offline first`,
  seen: t`Last seen, newest first`,
}

interface DeviceSearchProps {
  query: DeviceQuery
  onChange: (changes: Partial<DeviceQuery>) => void
  shownCount: number
  count: number
}

function DeviceSearch({ query, onChange, shownCount, count }: DeviceSearchProps) {
  const shown = formatNumber(shownCount)
  return (
    <ListSearch
      label={t`Search your devices`}
      placeholder={t`Label, id or link`}
      search={query.search}
      onSearch={(text) => onChange({ search: text })}
      choice={{
        label: t`Sort by`,
        options: deviceSorts.map((sort) => ({ value: sort, name: sortNames[sort] })),
        value: query.sort,
        onChange: (sort) => onChange({ sort }),
      }}
    >
      {shownCount === count
        ? plural(count, { one: '# device', other: '# devices' })
        : t`${shown} of ${plural(count, { one: '# device', other: '# devices' })}`}
    </ListSearch>
  )
}
