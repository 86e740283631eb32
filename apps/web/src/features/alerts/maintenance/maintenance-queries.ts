import {
  endMaintenance,
  type NewMaintenance,
  planMaintenance,
} from '@astropelago/contract/alert-maintenance'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/call.ts'
import { ownAlertsQuery } from '../alerts-query.ts'

/** What is to be quiet; neither: all that the user is told of. */
export type MaintenanceOf = Pick<NewMaintenance, 'devices' | 'islands'>

export function usePlanMaintenance(onPlanned: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: NewMaintenance) => call(planMaintenance, { body }),
    onSuccess: async () => {
      await client.invalidateQueries(ownAlertsQuery)
      onPlanned()
    },
  })
}

export function useEndMaintenance(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(endMaintenance, { params: { id } }),
    // Also where it was over already.
    onSettled: () => client.invalidateQueries(ownAlertsQuery),
  })
}
