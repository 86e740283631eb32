import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: string
  description?: ReactNode
  actions?: ReactNode
}

export function Card({ title, description, actions, className, children, ...rest }: CardProps) {
  const titleId = useId()
  return (
    <section
      aria-labelledby={title === undefined ? undefined : titleId}
      {...rest}
      className={classNames(
        'flex min-w-0 flex-col gap-5 rounded-card border border-line bg-panel/85 p-5 sm:p-7',
        className,
      )}
    >
      {title !== undefined && (
        <CardHeader id={titleId} title={title} description={description}>
          {actions}
        </CardHeader>
      )}
      {children}
    </section>
  )
}

interface CardHeaderProps {
  id?: string
  title: string
  description?: ReactNode
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
