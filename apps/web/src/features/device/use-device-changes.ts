import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect } from 'react'
import { followFromNow } from '../../lib/live-feed/follow-from-now.ts'
import { pageFeed, useFeedState } from '../../lib/live-feed/page-feed.ts'
import { useOwnStream } from '../../lib/live-feed/use-streams.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** The interval if no stream reports the device's status. */
const pollMs = 10_000
/** Uptime changes every minute, even without an event. */
const agingMs = 60_000

/**
 * Refetches the data on a device's page when the live feed or the owner's stream reports a change. It also
 * refetches every minute as time passes, or more often if neither stream reports the device.
 */
export function useDeviceChanges(id: string, isOwn: boolean): void {
  const client = useQueryClient()
  const isFollowed = useFeedState()?.phase === 'live' || isOwn
  const askAnew = useCallback(() => {
    void client.invalidateQueries({ queryKey: queryKeys.device(id) })
    void client.invalidateQueries({ queryKey: queryKeys.ownDevices })
  }, [client, id])
  useEffect(() => {
    if (!pageFeed) return undefined
    return followFromNow(pageFeed, {
      onStart: askAnew,
      onChanges: ({ changed, removedIds }) => {
        if (changed.some((device) => device.id === id) || removedIds.includes(id)) askAnew()
      },
    })
  }, [askAnew, id])
  // The feed does not report private devices, nor any device's reports.
  useOwnStream(isOwn)
  useEffect(() => {
    const ask = () => {
      if (!document.hidden) void client.invalidateQueries({ queryKey: queryKeys.device(id) })
    }
    const timer = setInterval(ask, isFollowed ? agingMs : pollMs)
    return () => clearInterval(timer)
  }, [client, id, isFollowed])
}
