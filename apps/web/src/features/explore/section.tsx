import type { ReactNode } from 'react'

interface SectionProps {
  /** Not from useId, because prerendered markup has to match. */
  id: string
  title: string
  lead?: string
  action?: ReactNode
  isBusy?: boolean
  children: ReactNode
}

export function Section({ id, title, lead, action, isBusy = false, children }: SectionProps) {
  return (
    <section aria-labelledby={id} aria-busy={isBusy || undefined} className="flex flex-col gap-6">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <div className="flex flex-col gap-1">
          <h2 id={id} className="text-title font-semibold">
            {title}
          </h2>
          {lead !== undefined && <p className="text-muted">{lead}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}
