import type { ReactNode } from 'react'
import ChevronRight from 'virtual:icon/chevron-right'

interface FoldProps {
  title: string
  isOpen?: boolean
  children: ReactNode
}

export function Fold({ title, isOpen, children }: FoldProps) {
  return (
    <details open={isOpen} className="group min-w-0 border-b border-line first:border-t">
      <summary className="flex min-h-11 list-none items-center gap-2 rounded-mark text-sm font-medium text-muted transition-colors hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 transition-transform duration-150 group-open:rotate-90"
        />
        {title}
      </summary>
      <div className="flex min-w-0 flex-col gap-4 pt-1 pb-5">{children}</div>
    </details>
  )
}
