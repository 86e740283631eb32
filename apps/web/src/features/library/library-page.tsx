import { searchMaxLength } from '@astropelago/contract/limits'
import { useState } from 'react'
import { useParams } from 'react-router'
import { shelves } from 'virtual:guides'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Input } from '../../ui/input.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { GuideList } from './guide-list.tsx'
import { BuiltInGuide, OperatorGuide } from './guide-text.tsx'

const builtIn = shelves.flatMap((shelf) => shelf.guides)

export function LibraryPage() {
  const { name } = useParams()
  const at = builtIn.findIndex((guide) => guide.name === name)
  const guide = builtIn[at]
  if (name === undefined) {
    return (
      <AllGuides lead="Short guides for Navigators, from a first device to an island that lasts." />
    )
  }
  // The key gives each guide its own element, so that one guide's text never shows below another's
  // title.
  if (guide !== undefined) return <BuiltInGuide key={name} guide={guide} next={builtIn[at + 1]} />
  const none = (
    <AllGuides lead="There is no guide by that name. These are the ones that there are." />
  )
  return <OperatorGuide key={name} name={name} none={none} />
}

function AllGuides({ lead }: { lead: string }) {
  usePageTitle('Library')
  const [asked, setAsked] = useState('')
  return (
    <>
      <PageHeader title="Library" lead={lead} />
      <search className="flex flex-col gap-10">
        <Input
          type="search"
          value={asked}
          onChange={({ target }) => setAsked(target.value)}
          maxLength={searchMaxLength}
          autoComplete="off"
          aria-label="Find a guide"
          placeholder="Find a guide..."
          className="sm:max-w-sm"
        />
        <GuideList asked={asked} />
      </search>
    </>
  )
}
