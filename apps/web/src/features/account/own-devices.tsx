import type { OwnDevice } from '@astropelago/contract/devices'
import { useEffect, useRef } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from 'react-router'
import Satellite from 'virtual:icon/satellite'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FeedMark } from '../../lib/live-feed/feed-mark.tsx'
import { accountFailure } from './account-failure.ts'
import { ListFailure } from '../../lib/list-failure.tsx'
import { useOwnStrips } from '../../devices/own-strips-query.ts'
import { useNow } from '../../lib/use-now.ts'
import { useDeviceDialog } from '../../devices/actions/use-device-dialog.tsx'
import { selectDevices } from './device-query.ts'
import { DeviceSearch } from './device-search.tsx'
import { DeviceSection } from './device-section.tsx'
import { useDeviceQuery } from './use-device-query.ts'

const clockMs = 5000
/** A shorter list can be scanned at a glance. */
const searchFrom = 10

/** The user's devices, public and private ones in separate lists, and the dialogs to change them. */
export function OwnDevices({ query }: { query: UseQueryResult<OwnDevice[]> }) {
  const [deviceQuery, changeDeviceQuery] = useDeviceQuery()
  const nowMs = useNow(clockMs)
  const strips = useOwnStrips()
  const { open, dialog } = useDeviceDialog({ explain: accountFailure })
  const section = useFocusAfterRemoval(query.data)
  const failure = <ListFailure query={query} of="devices" />
  const { data: devices = [] } = query
  const shown = selectDevices(devices, deviceQuery)
  const isSearched = deviceQuery.search.trim() !== ''
  const ofVisibility = (visibility: OwnDevice['visibility']) => ({
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
        title="Your Public Devices"
        description="On the globe and the map, for everyone to see."
        empty={query.data === undefined ? failure : <NoPublicDevices />}
        {...ofVisibility('public')}
        strips={strips}
        nowMs={nowMs}
        onAction={open}
      />
      <DeviceSection
        title="Your Private Devices"
        description="Only you see them. They are in no public list."
        empty={
          query.data && (
            <p className="text-sm text-muted">
              No private devices yet. A device that you register as Private is listed here.
            </p>
          )
        }
        {...ofVisibility('private')}
        strips={strips}
        nowMs={nowMs}
        onAction={open}
      />
      {query.data !== undefined && failure}
      <FeedMark />
      {dialog}
    </div>
  )
}

function NoPublicDevices() {
  return (
    <EmptyState icon={<Satellite aria-hidden />} title="No public devices yet">
      <p>Register one below, or use Connect, which guides you to its first heartbeat.</p>
      <Link to={paths.connect()} className={buttonStyles({ variant: 'outline', size: 'sm' })}>
        Connect a device
      </Link>
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
