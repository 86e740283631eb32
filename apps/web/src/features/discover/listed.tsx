import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'

interface ListedProps {
  /** What is listed, in a sentence: 'The islands'. */
  of: string
  query: {
    readonly isPending: boolean
    readonly isFetching: boolean
    readonly isError: boolean
    readonly refetch: () => unknown
    readonly hasNextPage?: boolean
    readonly isFetchingNextPage?: boolean
    readonly fetchNextPage?: () => unknown
  }
  isEmpty: boolean
  skeleton: ReactNode
  empty: ReactNode
  children: ReactNode
}

/** What a category lists, in whichever state it is, with a way to the rest of it. */
export function Listed({ of, query, isEmpty, skeleton, empty, children }: ListedProps) {
  const { isPending, isFetching, isError, refetch } = query
  if (isPending) return skeleton
  return (
    <>
      {isEmpty ? !isError && empty : children}
      {isError && (
        <ErrorLine busy={isFetching} onRetry={() => void refetch()}>
          {isEmpty
            ? `${of} could not be loaded.`
            : `${of} could not be updated: this is what arrived last.`}
        </ErrorLine>
      )}
      {query.hasNextPage === true && !isError && (
        <Button
          variant="outline"
          className="self-center"
          busy={query.isFetchingNextPage === true}
          onClick={() => void query.fetchNextPage?.()}
        >
          Show more
        </Button>
      )}
    </>
  )
}
