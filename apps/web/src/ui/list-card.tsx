import { type ComponentProps, type ReactNode, useId } from 'react'
import { Card, CardHeader } from './card.tsx'
import { LoadedList, type LoadedListProps } from './loaded-list.tsx'

export interface ListCardProps
  extends LoadedListProps, Pick<ComponentProps<typeof Card>, 'ref' | 'tabIndex' | 'className'> {
  readonly query: LoadedListProps['query'] & { readonly isPlaceholderData?: boolean }
  readonly title: string
  readonly description: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  /** Above the list, whatever its state. */
  readonly filters?: ReactNode
  /** Below the list, whatever its state. */
  readonly footer?: ReactNode
}

/** A card around one list. */
export function ListCard(props: ListCardProps) {
  const { title, description, actions, filters, footer, ref, tabIndex, className, ...list } = props
  const titleId = useId()
  return (
    <Card ref={ref} tabIndex={tabIndex} className={className} aria-labelledby={titleId}>
      <CardHeader id={titleId} title={title} description={description}>
        {actions}
      </CardHeader>
      {filters}
      <div className="flex min-w-0 flex-col gap-5" aria-busy={list.query.isPlaceholderData}>
        <LoadedList {...list} />
      </div>
      {footer}
    </Card>
  )
}
