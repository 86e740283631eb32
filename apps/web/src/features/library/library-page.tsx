import { useParams } from 'react-router'
import { shelves } from 'virtual:guides'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { GuideList } from './guide-list.tsx'
import { GuideText } from './guide-text.tsx'

const guides = shelves.flatMap((shelf) => shelf.guides)

/** A guide by the name in the address; without one, or with one that there is not, all of them. */
export function LibraryPage() {
  const { name } = useParams()
  const at = guides.findIndex((guide) => guide.name === name)
  const guide = guides[at]
  usePageTitle(guide?.title ?? 'Library')
  // Its own element for each: what one has fetched is never shown below another one's title.
  if (guide !== undefined) return <GuideText key={guide.name} guide={guide} next={guides[at + 1]} />
  return (
    <>
      <PageHeader
        title="Library"
        lead={
          name === undefined
            ? 'Short guides for Navigators, from a first device to an island that lasts.'
            : 'There is no guide by that name. These are the ones that there are.'
        }
      />
      <GuideList />
    </>
  )
}
