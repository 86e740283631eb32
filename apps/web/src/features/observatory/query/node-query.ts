import { useCallback, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import * as v from 'valibot'
import { searchMaxLength } from '../../../lib/search-text.ts'
import { useQueryInAddress } from '../../../lib/use-query-in-address.ts'

export const statusFilters = ['all', 'online', 'offline', 'unknown'] as const
export const sortKeys = ['label', 'status', 'lat', 'lon'] as const

export type StatusFilter = (typeof statusFilters)[number]
export type SortKey = (typeof sortKeys)[number]

/** Everything, what is of this installation, or what is of the neighbour with this id. */
export type From = 'all' | 'here' | (string & {})

export interface NodeQuery {
  readonly search: string
  readonly status: StatusFilter
  readonly from: From
  readonly sort: SortKey
  readonly isDescending: boolean
}

export const defaultQuery: NodeQuery = {
  search: '',
  status: 'all',
  from: 'all',
  sort: 'label',
  isDescending: false,
}

export function isFiltering({ search, status, from }: NodeQuery): boolean {
  return search.trim() !== '' || status !== 'all' || from !== 'all'
}

const Parameters = v.object({
  q: v.fallback(v.pipe(v.string(), v.maxLength(searchMaxLength)), ''),
  status: v.fallback(v.picklist(statusFilters), 'all'),
  from: v.fallback(v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)), 'all'),
  sort: v.fallback(v.picklist(sortKeys), 'label'),
  dir: v.fallback(v.picklist(['asc', 'desc']), 'asc'),
})

/** Reads the query from an address. Invalid values become the defaults. */
export function readNodeQuery(parameters: URLSearchParams): NodeQuery {
  const { q, status, from, sort, dir } = v.parse(Parameters, Object.fromEntries(parameters))
  return { search: q, status, from, sort, isDescending: dir === 'desc' }
}

function hasNodeQuery(parameters: URLSearchParams): boolean {
  return ['q', 'status', 'sort', 'dir'].some((name) => parameters.has(name))
}

/** Writes the query into the address's parameters. Defaults are left out, and other parameters stay. */
export function withNodeQuery(parameters: URLSearchParams, query: NodeQuery): URLSearchParams {
  const result = new URLSearchParams(parameters)
  const set = (name: string, value: string, isDefault: boolean) => {
    if (isDefault) result.delete(name)
    else result.set(name, value)
  }
  set('q', query.search.slice(0, searchMaxLength), query.search.trim() === '')
  set('status', query.status, query.status === 'all')
  set('from', query.from, query.from === 'all')
  set('sort', query.sort, query.sort === 'label')
  set('dir', 'desc', !query.isDescending)
  return result
}

/** Search and neighbour are of this visit only. */
export type QueryPreferences = Omit<NodeQuery, 'search' | 'from'>

/** Where status and order come from: the address, an earlier visit, or this one. */
type Origin = 'address' | 'before' | 'now'

interface OwnQuery {
  readonly query: NodeQuery
  readonly origin: Origin
}

/** Preferences apply, even if they arrive late, until the address or the visitor sets something. */
export function useNodeQuery(
  { status, sort, isDescending }: QueryPreferences,
  onChange: (left: QueryPreferences) => void,
) {
  const [parameters] = useSearchParams()
  const [own, setOwn] = useState((): OwnQuery => {
    const query = readNodeQuery(parameters)
    return { query, origin: hasNodeQuery(parameters) ? 'address' : 'before' }
  })
  const query = useMemo(
    () => (own.origin === 'before' ? { ...own.query, status, sort, isDescending } : own.query),
    [own, status, sort, isDescending],
  )
  useQueryInAddress({
    query,
    write: withNodeQuery,
    onAddress: (asked) => setOwn({ query: readNodeQuery(asked), origin: 'address' }),
  })

  const change = useCallback(
    (changes: Partial<NodeQuery>) => {
      const next = { ...query, ...changes }
      const isOfVisit = Object.keys(changes).every((name) => name === 'search' || name === 'from')
      setOwn({ query: next, origin: isOfVisit ? own.origin : 'now' })
      if (isOfVisit) return
      onChange({ status: next.status, sort: next.sort, isDescending: next.isDescending })
    },
    [query, own.origin, onChange],
  )
  const isLeftOver = own.origin === 'before' && status !== 'all'
  return { query, isLeftOver, change }
}
