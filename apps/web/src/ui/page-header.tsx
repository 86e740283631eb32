import type { ReactNode } from 'react'

export function PageHeader(props: { title: ReactNode; lead?: ReactNode; children?: ReactNode }) {
  const { title, lead, children } = props
  return (
    <header className="flex flex-col gap-3">
      <h1 className="text-heading font-semibold">{title}</h1>
      {lead !== undefined && <div className="max-w-2xl text-base text-muted">{lead}</div>}
      {children !== undefined && <div className="mt-3 flex flex-wrap gap-3">{children}</div>}
    </header>
  )
}
