import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { type ListQuery, readListQuery, withListQuery } from './list-query.ts'

/** Browsers refuse to change an address too often; typing must not wait for it either. */
const settleMs = 300

/**
 * The list's query, kept in the address: a copied link shows the same list. It replaces the entry of
 * the history and keeps the scroll position, since nothing is navigated.
 */
export function useListQuery() {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const [query, setQuery] = useState(() => readListQuery(parameters))
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

  const change = useCallback((changes: Partial<ListQuery>) => {
    setQuery((before) => ({ ...before, ...changes }))
  }, [])
  return [query, change] as const
}
