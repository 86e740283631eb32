import {
  endMaintenance,
  type NewMaintenance,
  planMaintenance,
} from '@astropelago/contract/alert-maintenance'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { ownAlertsQuery } from '../alerts-query.ts'

/** The subjects in maintenance. If both are absent: everything that the user gets alerts for. */
export type MaintenanceOf = Pick<NewMaintenance, 'devices' | 'islands'>

export function usePlanMaintenance() {
  const client = useQueryClient()
  return async (body: NewMaintenance): Promise<void> => {
    await call(planMaintenance, { body })
    await client.invalidateQueries(ownAlertsQuery)
  }
}

export function useEndMaintenance(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(endMaintenance, { params: { id } }),
    // Also after an error, because the maintenance may already be over.
    onSettled: () => client.invalidateQueries(ownAlertsQuery),
  })
}
