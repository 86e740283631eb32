import { type ComponentProps, type ReactNode, useId } from 'react'
import { Card, CardHeader } from './card.tsx'

interface TitledCardProps extends Omit<ComponentProps<typeof Card>, 'title'> {
  readonly title: string
  readonly description?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
}

/** A card that is named by its title. */
export function TitledCard({ title, description, actions, children, ...card }: TitledCardProps) {
  const titleId = useId()
  return (
    <Card {...card} aria-labelledby={titleId}>
      <CardHeader id={titleId} title={title} description={description}>
        {actions}
      </CardHeader>
      {children}
    </Card>
  )
}
