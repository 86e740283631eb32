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
export function hasListQuery(parameters: URLSearchParams): boolean {
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
