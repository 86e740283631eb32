import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { useToast } from '../../ui/use-toast.ts'

/** The first part of all query keys of this screen. */
export const operatorKey = 'operator'

/** How often the overview's cards load again. */
export const overviewPollMs = 15_000

/**
 * Returns a function to call after an operator's action. It shows a message and reloads all data of the
 * screen, because an action can change several parts, and always the audit log.
 */
export function useAfterAction(): (message?: string) => void {
  const client = useQueryClient()
  const showToast = useToast()
  return (message) => {
    void client.invalidateQueries({ queryKey: [operatorKey] })
    if (message !== undefined) showToast({ title: message })
  }
}

/** An action that needs no confirmation, and the message after it. */
export function useAction(act: () => Promise<unknown>, done: string) {
  const after = useAfterAction()
  return useMutation({ mutationFn: act, onSuccess: () => after(done) })
}

/** A searched list, page by page. The last pages stay while others load. */
export function useSearchedPages<Filter extends object, Page>(options: {
  readonly list: string
  /** Empty and undefined values are not sent. */
  readonly filter: Filter
  readonly fetchPage: (query: PageQuery<Filter>, signal: AbortSignal) => Promise<Page>
  readonly nextOf: (page: Page) => string | undefined
}) {
  const { list, filter, fetchPage, nextOf } = options
  return useInfiniteQuery({
    queryKey: [operatorKey, list, filter],
    queryFn: ({ pageParam, signal }) =>
      fetchPage(given({ ...filter, limit: '50', after: pageParam }), signal),
    initialPageParam: '',
    getNextPageParam: nextOf,
    placeholderData: keepPreviousData,
  })
}

type PageQuery<Filter> = Partial<Filter> & { readonly limit: string; readonly after?: string }

// The entries keep their names and types, which TypeScript can't follow through Object.fromEntries.
function given<Query>(query: Query): Query
function given(query: object): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value))
}
