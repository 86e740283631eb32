import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import * as v from 'valibot'

export const statusFilters = ['all', 'online', 'offline', 'unknown'] as const
export const sortKeys = ['label', 'status', 'lat', 'lon'] as const

export type StatusFilter = (typeof statusFilters)[number]
export type SortKey = (typeof sortKeys)[number]

/** Which nodes the list shows, and in which order. */
export interface ListQuery {
  readonly search: string
  readonly status: StatusFilter
  readonly sort: SortKey
  readonly isDescending: boolean
}

export const defaultQuery: ListQuery = {
  search: '',
  status: 'all',
  sort: 'label',
  isDescending: false,
}

const searchMaxLength = 100

const Parameters = v.object({
  q: v.fallback(v.pipe(v.string(), v.maxLength(searchMaxLength)), ''),
  status: v.fallback(v.picklist(statusFilters), 'all'),
  sort: v.fallback(v.picklist(sortKeys), 'label'),
  dir: v.fallback(v.picklist(['asc', 'desc']), 'asc'),
})

/** What an address says; where it says something else, the default counts. */
export function readListQuery(parameters: URLSearchParams): ListQuery {
  const { q, status, sort, dir } = v.parse(Parameters, Object.fromEntries(parameters))
  return { search: q, status, sort, isDescending: dir === 'desc' }
}

/** Whether an address says which nodes it wants, or how they are sorted. */
function hasListQuery(parameters: URLSearchParams): boolean {
  return ['q', 'status', 'sort', 'dir'].some((name) => parameters.has(name))
}

/** The address's parameters with this query in them: what is default is left out, the rest stays. */
export function withListQuery(parameters: URLSearchParams, query: ListQuery): URLSearchParams {
  const result = new URLSearchParams(parameters)
  const set = (name: string, value: string, isDefault: boolean) => {
    if (isDefault) result.delete(name)
    else result.set(name, value)
  }
  set('q', query.search.slice(0, searchMaxLength), query.search.trim() === '')
  set('status', query.status, query.status === 'all')
  set('sort', query.sort, query.sort === 'label')
  set('dir', 'desc', !query.isDescending)
  return result
}

/** Browsers refuse to change an address too often; typing must not wait for it either. */
const settleMs = 300

/** What of a query is kept from one visit to the next: what was searched for is not. */
export type QueryPreferences = Omit<ListQuery, 'search'>

/**
 * The list's query, kept in the address: a copied link shows the same list. It replaces the entry of
 * the history and keeps the scroll position, since nothing is navigated.
 */
export function useListQuery(
  preferences: QueryPreferences,
  onChange: (left: QueryPreferences) => void,
) {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const [query, setQuery] = useState(() => {
    const asked = readListQuery(parameters)
    if (hasListQuery(parameters)) return asked
    const { status, sort, isDescending } = preferences
    return { ...asked, status, sort, isDescending }
  })
  const knownAddress = useRef(parameters.toString())

  // An address that this list has not written came from a link or the browser's buttons.
  useEffect(() => {
    const address = parameters.toString()
    if (address === knownAddress.current) return
    knownAddress.current = address
    setQuery(readListQuery(parameters))
  }, [parameters])

  useEffect(() => {
    const timer = setTimeout(() => {
      const current = new URLSearchParams(window.location.search)
      const address = withListQuery(current, query).toString()
      if (address === current.toString()) return
      knownAddress.current = address
      void navigate({ search: address }, { replace: true, preventScrollReset: true })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [query, navigate])

  const change = useCallback(
    (changes: Partial<ListQuery>) => {
      const next = { ...query, ...changes }
      setQuery(next)
      onChange({ status: next.status, sort: next.sort, isDescending: next.isDescending })
    },
    [query, onChange],
  )
  return [query, change] as const
}
