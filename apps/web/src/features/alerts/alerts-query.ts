import type { AlertRulesChanges } from '@astropelago/contract/alert-rules'
import { changeAlerts, getAlerts } from '@astropelago/contract/alerts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/call.ts'

/** The user's alert rules, and the alerts that are held back. */
export const ownAlertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => call(getAlerts, { signal }),
})

export function useChangeAlerts(onChanged: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: AlertRulesChanges) => call(changeAlerts, { body }),
    onSuccess: async (answer) => {
      // An older response must not overwrite this one.
      await client.cancelQueries(ownAlertsQuery)
      client.setQueryData(ownAlertsQuery.queryKey, answer)
      onChanged()
    },
  })
}
