import type { ReactNode } from 'react'
import { Adrift } from './adrift.tsx'

interface TroubleProps {
  title: string
  children: ReactNode
}

/** How it looks when a page can't be shown: what happened, with a picture where there is room. */
export function Trouble({ title, children }: TroubleProps) {
  return (
    <div className="grid items-center gap-10 py-6 md:grid-cols-[7fr_4fr] md:py-16">
      <div className="flex min-w-0 flex-col items-start gap-6">
        <h1 className="text-heading font-semibold">{title}</h1>
        {children}
      </div>
      <Adrift className="hidden w-full md:block" />
    </div>
  )
}
