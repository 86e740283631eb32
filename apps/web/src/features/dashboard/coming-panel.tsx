import type { ReactNode } from 'react'

interface ComingPanelProps {
  id: string
  title: string
  /** What will stand here. */
  about: string
  /** A picture of it. */
  children: ReactNode
}

/** The place of something that is not there yet. */
export function ComingPanel({ id, title, about, children }: ComingPanelProps) {
  return (
    <section
      aria-labelledby={id}
      className="flex min-w-0 flex-col justify-between gap-6 overflow-hidden rounded-card border border-line bg-panel/85"
    >
      <div className="flex flex-col gap-2 p-6 pb-0 sm:p-8 sm:pb-0">
        <h2 id={id} className="text-lg font-semibold">
          {title} <span className="font-normal text-muted">(coming soon)</span>
        </h2>
        <p className="max-w-md text-sm text-muted">{about}</p>
      </div>
      {children}
    </section>
  )
}
