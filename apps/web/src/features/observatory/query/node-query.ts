import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import * as v from 'valibot'

export const statusFilters = ['all', 'online', 'offline', 'unknown'] as const
export const sortKeys = ['label', 'status', 'lat', 'lon'] as const

export type StatusFilter = (typeof statusFilters)[number]
export type SortKey = (typeof sortKeys)[number]

/** Which nodes globe, map and list show, and in which order the list has them. */
export interface NodeQuery {
  readonly search: string
  readonly status: StatusFilter
  readonly sort: SortKey
  readonly isDescending: boolean
}

export const defaultQuery: NodeQuery = {
  search: '',
  status: 'all',
  sort: 'label',
  isDescending: false,
}

/** Whether the query leaves nodes out. */
export function isFiltering({ search, status }: NodeQuery): boolean {
  return search.trim() !== '' || status !== 'all'
}

export const searchMaxLength = 100

const Parameters = v.object({
  q: v.fallback(v.pipe(v.string(), v.maxLength(searchMaxLength)), ''),
  status: v.fallback(v.picklist(statusFilters), 'all'),
  sort: v.fallback(v.picklist(sortKeys), 'label'),
  dir: v.fallback(v.picklist(['asc', 'desc']), 'asc'),
})

/** What an address says; where it says something else, the default counts. */
export function readNodeQuery(parameters: URLSearchParams): NodeQuery {
  const { q, status, sort, dir } = v.parse(Parameters, Object.fromEntries(parameters))
  return { search: q, status, sort, isDescending: dir === 'desc' }
}

/** Whether an address says which nodes it wants, or how they are sorted. */
function hasNodeQuery(parameters: URLSearchParams): boolean {
  return ['q', 'status', 'sort', 'dir'].some((name) => parameters.has(name))
}

/** The address's parameters with this query in them: what is default is left out, the rest stays. */
export function withNodeQuery(parameters: URLSearchParams, query: NodeQuery): URLSearchParams {
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
export type QueryPreferences = Omit<NodeQuery, 'search'>

/** Where status and order come from: the address, an earlier visit, or this one. */
type Origin = 'address' | 'before' | 'now'

interface OwnQuery {
  readonly query: NodeQuery
  readonly origin: Origin
}

/**
 * What is searched and filtered for, kept in the address: a copied link shows the same. It replaces
 * the entry of the history and keeps the scroll position, since nothing is navigated. Preferences
 * count until the address or the visitor says something, also those that come late.
 */
export function useNodeQuery(
  { status, sort, isDescending }: QueryPreferences,
  onChange: (left: QueryPreferences) => void,
) {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const [own, setOwn] = useState((): OwnQuery => {
    const query = readNodeQuery(parameters)
    return { query, origin: hasNodeQuery(parameters) ? 'address' : 'before' }
  })
  const query = useMemo(
    () => (own.origin === 'before' ? { ...own.query, status, sort, isDescending } : own.query),
    [own, status, sort, isDescending],
  )
  const knownAddress = useRef(parameters.toString())

  // An address that was not written here came from a link or the browser's buttons.
  useEffect(() => {
    const address = parameters.toString()
    if (address === knownAddress.current) return
    knownAddress.current = address
    setOwn({ query: readNodeQuery(parameters), origin: 'address' })
  }, [parameters])

  useEffect(() => {
    const timer = setTimeout(() => {
      const current = new URLSearchParams(window.location.search)
      const address = withNodeQuery(current, query).toString()
      if (address === current.toString()) return
      knownAddress.current = address
      void navigate({ search: address }, { replace: true, preventScrollReset: true })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [query, navigate])

  const change = useCallback(
    (changes: Partial<NodeQuery>) => {
      const next = { ...query, ...changes }
      const isSearchAlone = Object.keys(changes).every((name) => name === 'search')
      setOwn({ query: next, origin: isSearchAlone ? own.origin : 'now' })
      if (isSearchAlone) return
      onChange({ status: next.status, sort: next.sort, isDescending: next.isDescending })
    },
    [query, own.origin, onChange],
  )
  /** Whether a filter holds that nobody has set since the page was opened. */
  const isLeftOver = own.origin === 'before' && status !== 'all'
  return { query, isLeftOver, change }
}
