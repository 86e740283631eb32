import type { ComponentProps, ReactNode } from 'react'
import { LoadedList, type LoadedListProps } from './loaded-list.tsx'
import { Card } from './card.tsx'

export interface ListCardProps
  extends
    LoadedListProps,
    Pick<
      ComponentProps<typeof Card>,
      'description' | 'actions' | 'ref' | 'tabIndex' | 'className'
    > {
  readonly title: string
  readonly query: LoadedListProps['query'] & { readonly isPlaceholderData?: boolean }
  /** Above the list, whatever its state. */
  readonly filters?: ReactNode
  /** Below the list, whatever its state. */
  readonly footer?: ReactNode
}

/** A card around one list. */
export function ListCard(props: ListCardProps) {
  const { title, description, actions, ref, tabIndex, className, filters, footer, ...list } = props
  return (
    <Card {...{ title, description, actions, ref, tabIndex, className }}>
      {filters}
      <div className="flex min-w-0 flex-col gap-5" aria-busy={list.query.isPlaceholderData}>
        <LoadedList {...list} />
      </div>
      {footer}
    </Card>
  )
}
