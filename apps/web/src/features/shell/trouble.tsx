import type { ReactNode } from 'react'
import { Adrift } from './adrift.tsx'

interface TroubleProps {
  title: string
  children: ReactNode
}

/** The message for a page that can't be shown, with a picture if there is room. */
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
