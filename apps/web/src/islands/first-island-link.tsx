import { Trans } from '@lingui/react/macro'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { textLinkStyles } from '../ui/button-styles.ts'

/** Leads to the guide for people who have never made a page. */
export function FirstIslandLink() {
  return (
    <Link to={paths.guide('first-island')} className={textLinkStyles}>
      <Trans>Your first island in a minute</Trans>
    </Link>
  )
}
