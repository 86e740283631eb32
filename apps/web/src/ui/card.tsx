import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

export function Card({ className, ...rest }: ComponentProps<'section'>) {
  return (
    <section
      {...rest}
      className={classNames(
        'flex min-w-0 flex-col gap-5 rounded-card border border-line bg-panel/85 p-5 sm:p-7',
        className,
      )}
    />
  )
}

interface CardHeaderProps {
  /** Use it for the card's aria-labelledby. */
  id?: string
  title: string
  description?: ReactNode
  /** Buttons on the right. */
  children?: ReactNode
}

export function CardHeader({ id, title, description, children }: CardHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {description !== undefined && <div className="text-sm text-muted">{description}</div>}
      </div>
      {children !== undefined && <div className="flex shrink-0 gap-2">{children}</div>}
    </header>
  )
}

interface TitledCardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title: string
  description?: ReactNode
}

/** A card that its heading names. */
export function TitledCard({ title, description, children, ...rest }: TitledCardProps) {
  const id = useId()
  return (
    <Card {...rest} aria-labelledby={id}>
      <CardHeader id={id} title={title} description={description} />
      {children}
    </Card>
  )
}
