import { pages } from '@astropelago/contract/pages'
import { siteNamePlaceholder as name } from '@astropelago/contract/site'
import { t } from '@lingui/core/macro'

/** What browsers, search engines and previews of links show of the HTML. */
export const pageTexts = {
  /** For pages that are not prerendered. */
  app: {
    title: name,
    description: t`The community-powered meta-network: explore islands run by fellow Navigators, and connect a device of your own.`,
    noScript: t`${name} needs JavaScript. Please turn it on and load this page again.`,
    picture: t`A blue world with floating islands in its orbit`,
  },
  [pages.landing]: {
    title: t`${name} · The community-powered meta-network`,
    description: t`Explore islands run by fellow Navigators, connect a device of your own, and watch it come online. Free to host, no port-forwarding.`,
  },
  [pages.explore]: {
    title: t`Explore · ${name}`,
    description: t`Community-hosted islands, the lounge, and the modules of ${name}: see what is there before you sign in.`,
  },
  [pages.harborLogs]: {
    title: t`Harbor Logs · ${name}`,
    description: t`What happens on the islands of ${name}: when they open and close, what their hosts announce, and what visitors write.`,
  },
} as const
