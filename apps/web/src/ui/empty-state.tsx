import type { ReactNode } from 'react'

export function EmptyState(props: { icon?: ReactNode; title: string; children?: ReactNode }) {
  const { icon, title, children } = props
  return (
    <div className="flex flex-col items-center justify-center gap-2 rounded-control border border-dashed border-line-strong px-6 py-10 text-center">
      {icon !== undefined && <div className="mb-1 text-muted [&_svg]:size-6">{icon}</div>}
      <p className="font-medium text-ink">{title}</p>
      {children !== undefined && (
        <div className="flex max-w-md flex-col items-center gap-4 text-sm text-muted">
          {children}
        </div>
      )}
    </div>
  )
}
