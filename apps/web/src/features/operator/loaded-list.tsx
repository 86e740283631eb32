import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { ApiError } from '../../lib/api-error.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

interface LoadedListProps {
  /** What is in it, in a sentence: 'The users'. */
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
  readonly empty: ReactNode
  /** What stands there; the last of it also where a later load failed. */
  readonly children: ReactNode
}

/** A list in whichever state it is, with a way to the rest of it. */
export function LoadedList({ of, query, isEmpty, empty, children }: LoadedListProps) {
  const { isPending, isFetching, error, refetch } = query
  // An operator whose name is taken off the list finds what everybody else does.
  if (isUnknown(error)) return <Navigate to={paths.discover()} replace />
  return (
    <>
      {isPending && <ListSkeleton />}
      {!isPending && !(error !== null && isEmpty) && (isEmpty ? empty : children)}
      {error !== null && (
        <ErrorLine busy={isFetching} onRetry={() => void refetch()}>
          {`${of} could not be loaded.`}
        </ErrorLine>
      )}
      {query.hasNextPage === true && error === null && (
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

function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found'
}

const skeletonRows = Array.from({ length: 6 }, (_, index) => index)

function ListSkeleton() {
  return (
    <div data-awaited className="flex flex-col gap-6 py-2">
      {skeletonRows.map((row) => (
        <Skeleton key={row} className="h-6 w-full rounded-mark" />
      ))}
    </div>
  )
}
