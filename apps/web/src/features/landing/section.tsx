import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'

interface SectionProps {
  id: string
  title: string
  lead: string
  /** Puts heading and contents side by side on a wide screen. */
  split?: boolean
  /** Shown beside heading and contents on a wide screen, after them on a narrow one. */
  beside?: ReactNode
  children: ReactNode
}

/** A section of the page. Its heading takes the focus when the section is jumped to. */
export function Section({ id, title, lead, split = false, beside, children }: SectionProps) {
  const titleId = `${id}-title`
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={classNames(
        'flex flex-col gap-12',
        beside !== undefined && 'lg:grid lg:grid-cols-[7fr_5fr] lg:items-center lg:gap-16',
      )}
    >
      <div
        className={classNames(
          'flex flex-col gap-10 sm:gap-12',
          split && 'lg:grid lg:grid-cols-[5fr_7fr] lg:gap-16',
        )}
      >
        <div className="flex max-w-xl flex-col gap-4">
          <h2 id={titleId} tabIndex={-1} className="text-heading font-semibold outline-offset-8">
            {title}
          </h2>
          <p className="text-lg text-muted">{lead}</p>
        </div>
        {children}
      </div>
      {beside}
    </section>
  )
}
