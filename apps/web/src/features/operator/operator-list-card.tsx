import { t } from '@lingui/core/macro'
import { Navigate } from 'react-router'
import { ApiError } from '../../lib/api-error.ts'
import { paths } from '../../paths.ts'
import { ListCard, type ListCardProps } from '../../ui/list-card.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

interface OperatorListCardProps extends Omit<ListCardProps, 'skeleton' | 'of'> {
  /** By default, the title. */
  readonly of?: string
}

/** A list that only operators may read. */
export function OperatorListCard(props: OperatorListCardProps) {
  const { title, query, of = t`The ${title.toLowerCase()}` } = props
  // A former operator is redirected like any other user.
  if (query.error instanceof ApiError && query.error.code === 'not_found') {
    return <Navigate to={paths.discover()} replace />
  }
  return <ListCard {...props} of={of} skeleton={<SkeletonRows label={t`Loading…`} count={6} />} />
}
