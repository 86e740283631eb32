import {
  type CheckChanges,
  type CheckDetails,
  createCheck,
  deleteCheck,
  getCheck,
  getCheckHistory,
  getOwnCheck,
  type OwnCheck,
  type PublicCheck,
  renewPushAddress,
  runCheck,
  updateCheck,
} from '@astropelago/contract/checks'
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { ownChecksQuery } from '../../checks/own-checks-query.ts'
import { ApiError } from '../../lib/api-error.ts'
import { call } from '../../lib/call.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** No check is looked at more often. Hidden tabs do not poll. */
export const pollMs = 30_000
/** The history has one answer a minute. */
const agingMs = 60_000

export interface ShownCheck {
  readonly check: PublicCheck
  /** Null unless it is the viewer's own. */
  readonly own: OwnCheck | null
}

export function checkQuery(id: string, isSignedIn: boolean) {
  return queryOptions({
    queryKey: [...queryKeys.check(id), 'details', isSignedIn],
    queryFn: async ({ signal }): Promise<ShownCheck> => {
      const own = isSignedIn ? await ownOrNull(id, signal) : null
      return own === null
        ? { check: await call(getCheck, { params: { id }, signal }), own }
        : { check: { ...own, kind: own.target.kind }, own }
    },
    refetchInterval: pollMs,
  })
}

async function ownOrNull(id: string, signal: AbortSignal): Promise<OwnCheck | null> {
  try {
    return await call(getOwnCheck, { params: { id }, signal })
  } catch (error) {
    if (error instanceof ApiError && notOwn.has(error.code)) return null
    throw error
  }
}

const notOwn: ReadonlySet<string> = new Set(['not_found', 'signed_out'])

/** The first page of events is the newest, and has the days and response times. */
export function checkHistoryQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.check(id), 'history'],
    queryFn: ({ pageParam, signal }) =>
      call(getCheckHistory, {
        params: { id },
        query: pageParam === '' ? {} : { after: pageParam },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    refetchInterval: agingMs,
  })
}

/** Calls that change the user's checks. The lists and pages that show them are fetched again. */
export function useCheckChanges() {
  const client = useQueryClient()
  return useMemo(() => {
    const askAnew = () => client.invalidateQueries({ queryKey: queryKeys.checks })
    return {
      create: async (body: CheckDetails) => {
        const made = await call(createCheck, { body })
        void askAnew()
        return made
      },
      update: async (id: string, body: CheckChanges) => {
        const changed = await call(updateCheck, { params: { id }, body })
        await askAnew()
        return changed
      },
      run: async (id: string) => {
        const outcome = await call(runCheck, { params: { id } })
        void askAnew()
        return outcome
      },
      renewAddress: (id: string) => call(renewPushAddress, { params: { id } }),
      remove: async (id: string) => {
        await call(deleteCheck, { params: { id } })
        // The check's own page goes away, and would ask in vain.
        await client.cancelQueries({ queryKey: queryKeys.ownChecks })
        client.setQueryData(ownChecksQuery.queryKey, (checks) =>
          checks?.filter((check) => check.id !== id),
        )
      },
    }
  }, [client])
}
