import { usePageTitle } from '../../lib/use-page-title.ts'
import { ConnectYourDevice } from './connect-your-device.tsx'
import { ExploreTheCommunity } from './explore-the-community.tsx'
import { Faq } from './faq.tsx'
import { Hero } from './hero.tsx'
import { HowItWorks } from './how-it-works.tsx'
import { SafetyAndTrust } from './safety-and-trust.tsx'
import { useSectionFocus } from './use-section-focus.ts'

export function LandingPage() {
  usePageTitle()
  useSectionFocus()
  return (
    <div className="flex flex-col gap-28 pb-16 sm:gap-40 sm:pb-24">
      <Hero />
      <HowItWorks />
      <ConnectYourDevice />
      <ExploreTheCommunity />
      <SafetyAndTrust />
      <Faq />
    </div>
  )
}
