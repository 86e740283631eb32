import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate, useNavigation, useSearchParams } from 'react-router'

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
 * replaces the entry of the history and keeps the scroll position, since nothing is navigated. To the
 * router it is a navigation all the same, and calls off one that waits for its page's code: while one
 * does, nothing is written.
 */
export function useQueryInAddress<Query>({ query, write, onAddress }: QueryInAddress<Query>): void {
  const [parameters] = useSearchParams()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const isStaying = useNavigation().state === 'idle'
  const known = useRef(parameters.toString())
  const hear = useEffectEvent(onAddress)
  const putInAddress = useEffectEvent((wanted: Query) => {
    // The window is ahead of what is drawn: its address is the next page's.
    if (window.location.pathname !== pathname || window.location.search !== search) return
    const address = write(parameters, wanted).toString()
    if (address === parameters.toString()) return
    known.current = address
    void navigate({ search: address }, { replace: true, preventScrollReset: true })
  })

  useEffect(() => {
    const address = parameters.toString()
    if (address === known.current) return
    known.current = address
    hear(parameters)
  }, [parameters])

  useEffect(() => {
    if (!isStaying) return undefined
    const put = () => putInAddress(query)
    const timer = setTimeout(put, settleMs)
    // A click may lead away. Captured, it is heard before the link that it is on.
    window.addEventListener('click', put, { capture: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('click', put, { capture: true })
    }
  }, [query, isStaying])
}
