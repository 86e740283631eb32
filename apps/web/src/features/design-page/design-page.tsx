import { usePageTitle } from '../../lib/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { DesignContents } from './design-contents.tsx'
import { DesignControls } from './design-controls.tsx'
import { DesignOverlays } from './design-overlays.tsx'
import { DesignTokens } from './design-tokens.tsx'

/** Every component in every state, for visual review. Only in development builds. */
export function DesignPage() {
  usePageTitle('Design')
  return (
    <>
      <PageHeader title="Design" lead="The colours, the type and the components." />
      <DesignTokens />
      <DesignControls />
      <DesignContents />
      <DesignOverlays />
    </>
  )
}
