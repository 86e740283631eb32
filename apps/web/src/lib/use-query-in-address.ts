import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'

/** Browsers refuse to change an address too often; typing must not wait for it either. */
const settleMs = 300

interface QueryInAddress<Query> {
  readonly query: Query
  /** The address's parameters with a query in them; what else is there stays. */
  readonly write: (parameters: URLSearchParams, query: Query) => URLSearchParams
  /** Told of an address that was not written here: it came from a link or the browser's buttons. */
  readonly onAddress: (parameters: URLSearchParams) => void
}

/**
 * Keeps what a page is asked for in its address, so that a reload or a copied link shows the same. It
 * replaces the entry of the history and keeps the scroll position, since nothing is navigated.
 */
export function useQueryInAddress<Query>({ query, write, onAddress }: QueryInAddress<Query>): void {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const known = useRef(parameters.toString())
  const hear = useEffectEvent(onAddress)
  const written = useEffectEvent(write)

  useEffect(() => {
    const address = parameters.toString()
    if (address === known.current) return
    known.current = address
    hear(parameters)
  }, [parameters])

  useEffect(() => {
    const timer = setTimeout(() => {
      const current = new URLSearchParams(window.location.search)
      const address = written(current, query).toString()
      if (address === current.toString()) return
      known.current = address
      void navigate({ search: address }, { replace: true, preventScrollReset: true })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [query, navigate])
}
