import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorLine } from './error-line.tsx'

export interface LoadedListProps {
  /** What is in it, in a sentence: 'The islands'. */
  readonly of: string
  readonly query: {
    readonly isPending: boolean
    readonly isFetching: boolean
    readonly error: unknown
    readonly refetch: () => unknown
    readonly hasNextPage?: boolean
    readonly isFetchingNextPage?: boolean
    readonly fetchNextPage?: () => unknown
  }
  readonly isEmpty: boolean
  readonly skeleton: ReactNode
  readonly empty: ReactNode
  /** The button that fetches the rest. */
  readonly more?: string
  /** What stands there where a load failed, instead of a line with a way to try again. */
  readonly failure?: ReactNode
  /** What was loaded; the last of it also where a later load failed. */
  readonly children: ReactNode
}

/** A list in whichever state it is, with a way to the rest of it. */
export function LoadedList(props: LoadedListProps) {
  const { of, query, isEmpty, skeleton, empty, more = 'Show more', failure, children } = props
  const { isPending, isFetching, error, refetch } = query
  if (isPending) return skeleton
  const hasFailed = error !== null
  return (
    <>
      {isEmpty ? !hasFailed && empty : children}
      {hasFailed &&
        (failure ?? (
          <ErrorLine busy={isFetching} onRetry={() => void refetch()}>
            {isEmpty
              ? `${of} could not be loaded.`
              : `${of} could not be updated, so this may be out of date.`}
          </ErrorLine>
        ))}
      {query.hasNextPage === true && !hasFailed && (
        <Button
          variant="outline"
          className="self-center"
          busy={query.isFetchingNextPage === true}
          onClick={() => void query.fetchNextPage?.()}
        >
          {more}
        </Button>
      )}
    </>
  )
}
