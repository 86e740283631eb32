import { t } from '@lingui/core/macro'
import { Navigate } from 'react-router'
import { ApiError } from '../../lib/api-error.ts'
import { paths } from '../../paths.ts'
import { ListCard, type ListCardProps } from '../../ui/list-card.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

/** A list that only operators may read. */
export function OperatorListCard(props: Omit<ListCardProps, 'skeleton'>) {
  const { error } = props.query
  // A former operator is redirected like any other user.
  if (error instanceof ApiError && error.code === 'not_found') {
    return <Navigate to={paths.discover()} replace />
  }
  return <ListCard {...props} skeleton={<SkeletonRows label={t`Loading…`} count={6} />} />
}
