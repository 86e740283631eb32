import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { useNextPage } from './router/page-path.ts'

/** Browsers limit how often an address may change, and typing must not wait for it. */
const settleMs = 300

interface QueryInAddress<Query> {
  readonly query: Query
  /** All other parameters stay. */
  readonly write: (parameters: URLSearchParams, query: Query) => URLSearchParams
  /** Called when a link or the browser's buttons changed the address. */
  readonly onAddress: (parameters: URLSearchParams) => void
}

/** Writing the address is a navigation and would cancel one that waits for its page's code. */
export function useQueryInAddress<Query>({ query, write, onAddress }: QueryInAddress<Query>): void {
  const [parameters] = useSearchParams()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const isStaying = useNextPage() === undefined
  const known = useRef(parameters.toString())
  const readAddress = useEffectEvent(onAddress)
  const putInAddress = useEffectEvent((wanted: Query) => {
    // The window already has the next page's address, which is not drawn yet.
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
    readAddress(parameters)
  }, [parameters])

  useEffect(() => {
    if (!isStaying) return undefined
    const put = () => putInAddress(query)
    const timer = setTimeout(put, settleMs)
    // A click may leave the page. Capturing it runs this before the link's own handler.
    window.addEventListener('click', put, { capture: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('click', put, { capture: true })
    }
  }, [query, isStaying])
}

/** What a list is searched for, kept in the address. */
export function useListQuery<Query extends object>({
  read,
  write,
}: Pick<QueryInAddress<Query>, 'write'> & {
  readonly read: (parameters: URLSearchParams) => Query
}) {
  const [parameters] = useSearchParams()
  const [query, setQuery] = useState(() => read(parameters))
  useQueryInAddress({ query, write, onAddress: (asked) => setQuery(read(asked)) })
  const change = (changes: Partial<Query>) => setQuery({ ...query, ...changes })
  return [query, change] as const
}
