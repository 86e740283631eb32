import type { ReactNode } from 'react'

interface DesignSectionProps {
  title: string
  children: ReactNode
}

export function DesignSection({ title, children }: DesignSectionProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-5 border-t border-line pt-8">
      <h2 className="text-title font-semibold">{title}</h2>
      {children}
    </section>
  )
}

/** Items side by side, wrapping if there is no room. */
export function DesignRow({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-4">{children}</div>
}
