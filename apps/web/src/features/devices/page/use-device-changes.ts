import type { OwnDevice } from '@astropelago/contract/devices'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followFromNow } from '../../../lib/live-feed/follow-from-now.ts'
import { pageFeed, useFeedState } from '../../../lib/live-feed/page-feed.ts'
import { ownDevicesQuery } from '../own-devices-query.ts'
import { deviceKey } from './device-queries.ts'

/** Where nobody tells of its status. */
const pollMs = 10_000
/** Uptime is another with each minute, whatever happens. */
const agingMs = 60_000

/**
 * Asks anew for what a device's page shows, when the live feed tells of the device and as its time goes
 * by; more often where the feed does not, as of private devices.
 */
export function useDeviceChanges(id: string, own: OwnDevice | undefined): void {
  const client = useQueryClient()
  const isLive = useFeedState()?.phase === 'live'
  const isTold = isLive && (own === undefined || (own.visibility === 'public' && !own.hidden))
  useEffect(() => {
    if (!pageFeed) return undefined
    const askAnew = () => {
      void client.invalidateQueries({ queryKey: deviceKey(id) })
      void client.invalidateQueries(ownDevicesQuery)
    }
    return followFromNow(pageFeed, {
      onStart: askAnew,
      onChanges: ({ changed, removedIds }) => {
        if (changed.some((device) => device.id === id) || removedIds.includes(id)) askAnew()
      },
    })
  }, [client, id])
  useEffect(() => {
    const ask = () => {
      if (!document.hidden) void client.invalidateQueries({ queryKey: deviceKey(id) })
    }
    const timer = setInterval(ask, isTold ? agingMs : pollMs)
    return () => clearInterval(timer)
  }, [client, id, isTold])
}
