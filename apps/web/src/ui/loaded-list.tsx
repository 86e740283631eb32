import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorLine } from './error-line.tsx'

export interface LoadedListProps {
  /** The subject of a sentence: 'The islands'. */
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
  readonly more?: string
  /** Replaces the line with a retry after a failed load. */
  readonly failure?: ReactNode
  /** The loaded items. They stay visible if a later load fails. */
  readonly children: ReactNode
}

export function LoadedList(props: LoadedListProps) {
  const {
    of: what,
    query,
    isEmpty,
    skeleton,
    empty,
    more = t`Show more`,
    failure,
    children,
  } = props
  const { isPending, error } = query
  if (isPending) return skeleton
  const hasFailed = error !== null
  return (
    <>
      {isEmpty ? !hasFailed && empty : children}
      {hasFailed &&
        (failure ?? (
          <ErrorLine query={query}>
            {isEmpty
              ? t`${what} could not be loaded.`
              : t`${what} could not be updated, so this may be out of date.`}
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
