import type { AlertRulesChanges, SubjectRulesChanges } from '@astropelago/contract/alert-rules'
import {
  changeAlerts,
  changeCheckAlerts,
  changeDeviceAlerts,
  changeIslandAlerts,
  getAlerts,
  getCheckAlerts,
  getDeviceAlerts,
  getIslandAlerts,
} from '@astropelago/contract/alerts'
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

const routes = {
  device: { get: getDeviceAlerts, change: changeDeviceAlerts },
  island: { get: getIslandAlerts, change: changeIslandAlerts },
  check: { get: getCheckAlerts, change: changeCheckAlerts },
} as const

/** A subject that can have alert rules of its own. */
export interface AlertSubject {
  readonly of: keyof typeof routes
  readonly id: string
  readonly name: string
}

export const subjectAlertsQuery = ({ of, id }: Pick<AlertSubject, 'of' | 'id'>) =>
  queryOptions({
    // Nested under the account's key, so that it is invalidated together with the account's rules.
    queryKey: [...ownAlertsQuery.queryKey, of, id],
    queryFn: ({ signal }) => call(routes[of].get, { params: { id }, signal }),
  })

export function useChangeSubjectAlerts({ of, id }: AlertSubject) {
  const client = useQueryClient()
  return async (body: SubjectRulesChanges): Promise<void> => {
    const answer = await call(routes[of].change, { params: { id }, body })
    const { queryKey } = subjectAlertsQuery({ of, id })
    // An older response must not overwrite this one.
    await client.cancelQueries({ queryKey })
    client.setQueryData(queryKey, answer)
    await client.invalidateQueries({ ...ownAlertsQuery, exact: true })
  }
}
