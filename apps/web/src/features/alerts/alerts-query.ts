import type { AlertRulesChanges } from '@astropelago/contract/alert-rules'
import { changeAlerts, getAlerts } from '@astropelago/contract/alerts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** The user's alert rules, and the alerts that are held back. */
export const ownAlertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => call(getAlerts, { signal }),
})

export function useChangeAlerts() {
  const client = useQueryClient()
  return async (body: AlertRulesChanges): Promise<void> => {
    const answer = await call(changeAlerts, { body })
    // An older response must not overwrite this one.
    await client.cancelQueries(ownAlertsQuery)
    client.setQueryData(ownAlertsQuery.queryKey, answer)
  }
}
