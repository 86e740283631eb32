import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { hasListQuery, type ListQuery, readListQuery, withListQuery } from './list-query.ts'

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
