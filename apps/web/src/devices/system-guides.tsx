import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { CodeBlock } from '../ui/code-block.tsx'
import { Fold } from '../ui/fold.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type {
  CommandBlock,
  CommandGuide,
  GuidesBySystem,
  NamedGuide,
} from './heartbeat-commands/command-guide.ts'

interface SystemGuidesProps {
  label: string
  guides: GuidesBySystem
  /** Renders content above a system's guide; undefined means the other ways. */
  renderAbove?: (system: GuidesBySystem['systems'][number]['system'] | undefined) => ReactNode
}

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
          name: t`Other ways`,
          content: (
            <div className="flex min-w-0 flex-col gap-6">
              {renderAbove?.(undefined)}
              <Tabs label={t`Other ways`} tabs={otherTabs} />
            </div>
          ),
        },
      ]}
    />
  )
}

export function CommandGuideView({ guide }: { guide: CommandGuide }) {
  const { steps, installs, removal, notes } = guide
  return (
    <div className="flex min-w-0 flex-col gap-5">
      {steps.map(renderBlock)}
      <ul className="flex list-disc flex-col gap-1.5 ps-5 text-sm text-muted marker:text-edge">
        {notes.map((note) => (
          <li key={note} className="wrap-anywhere">
            {note}
          </li>
        ))}
      </ul>
      <div className="flex min-w-0 flex-col">
        {installs.length > 0 && (
          <Fold title={t`What this installs`}>{installs.map(renderBlock)}</Fold>
        )}
        {removal && <Fold title={t`How to remove it`}>{renderBlock(removal)}</Fold>}
      </div>
    </div>
  )
}

function renderBlock({ title, text, language }: CommandBlock) {
  return <CodeBlock key={title} label={title} text={text} language={language} />
}
