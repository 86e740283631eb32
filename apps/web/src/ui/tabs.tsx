import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface TabsProps {
  label: string
  tabs: readonly { readonly name: string; readonly content: ReactNode }[]
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Radix.Root defaultValue="0" className="flex min-w-0 flex-col gap-5">
      <Radix.List
        aria-label={label}
        className="flex gap-1 overflow-x-auto overflow-y-hidden border-b border-line-strong"
      >
        {tabs.map(({ name }, index) => (
          <Radix.Trigger
            key={name}
            // The value becomes part of an id, which must not contain the spaces of a name.
            value={String(index)}
            className="-mb-px h-10 shrink-0 border-b-2 border-transparent px-2.5 text-sm sm:px-3 font-medium text-muted -outline-offset-2 transition-colors hover:text-ink data-[state=active]:border-accent data-[state=active]:text-ink"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, content }, index) => (
        <Radix.Content key={name} value={String(index)} className="min-w-0 rounded-control">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
