import type { ReactNode } from 'react'
import { Tabs } from '../ui/tabs.tsx'
import { CommandGuideView } from './command-guide-view.tsx'
import type { GuidesBySystem, NamedGuide } from './heartbeat-commands/command-guide.ts'

interface SystemGuidesProps {
  /** The name of the set of tabs. */
  label: string
  guides: GuidesBySystem
  /** Renders content above a system's guide; undefined means the other ways. */
  renderAbove?: (system: GuidesBySystem['systems'][number]['system'] | undefined) => ReactNode
}

/** One tab per system, and one for the less common ways. */
export function SystemGuides({ label, guides, renderAbove }: SystemGuidesProps) {
  const { systems, others } = guides
  const tabs = systems.map(({ system, ...guide }) => ({
    name: guide.name,
    content: (
      <div className="flex min-w-0 flex-col gap-6">
        {renderAbove?.(system)}
        <CommandGuideView guide={guide} />
      </div>
    ),
  }))
  const otherTabs = others.map((guide: NamedGuide) => ({
    name: guide.name,
    content: <CommandGuideView guide={guide} />,
  }))
  return (
    <Tabs
      label={label}
      tabs={[
        ...tabs,
        {
          name: 'Other ways',
          content: (
            <div className="flex min-w-0 flex-col gap-6">
              {renderAbove?.(undefined)}
              <Tabs label="Other ways" tabs={otherTabs} />
            </div>
          ),
        },
      ]}
    />
  )
}
